"""Looks pages over as people with other eyes, hands and screens would: axe, and nothing cut off or too small."""

from collections.abc import Sequence
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from playwright.sync_api import Page

from tests.e2e.conftest import shoot

SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}},
}
# Both schemes are seen, at the price of one: colours do not depend on the width.
LOOKS: dict[str, dict[str, Any]] = {
    "desktop": {**SIZES["desktop"], "color_scheme": "light"},
    "phone": {**SIZES["phone"], "color_scheme": "dark"},
}


def serious(page: Page) -> list[str]:
    """What axe finds that keeps somebody out."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['help']} ({one['nodes'][0]['html'][:200]})"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def look_over(page: Page, paths: Sequence[str], size: str) -> list[str]:
    """Open each page, keep a picture of it, and return what is wrong with any."""
    findings = []
    for path in paths:
        page.goto(path)
        page.wait_for_selector("h1")
        shoot(page, f"{path.strip('/').replace('/', '-').replace('?', '-')}-{size}")
        findings += [f"{path}: {one}" for one in serious(page)]
        findings += too_wide(page, path)
    return findings + (in_other_languages(page, list(paths)) if size.endswith("phone") else [])


def too_wide(page: Page, path: str) -> list[str]:
    over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [f"{path}: {over} px too wide"] if over > 0 else []


def in_other_languages(page: Page, paths: list[str]) -> list[str]:
    """Return what is cut off on a phone in the other languages, whose words are longer."""
    findings = []
    for code, _name in settings.LANGUAGES[1:]:
        everywhere = {"url": page.evaluate("location.origin + '/'")}
        page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": code, **everywhere}])
        for path in paths:
            page.goto(path)
            page.wait_for_selector("h1")
            findings += [] if page.get_attribute("html", "lang") == code else [f"{path}: not in {code}"]
            shoot(page, f"{code}-{path.strip('/').replace('/', '-').replace('?', '-')}")
            findings += [f"{code} {one}" for one in too_wide(page, path)]
    page.context.clear_cookies(name=settings.LANGUAGE_COOKIE_NAME)
    return findings
