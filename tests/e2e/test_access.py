"""Every page for spectators: no serious finding of axe, light and dark, wide and narrow; pictures of each."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from arena.matches.models import Match
from tests.e2e.conftest import shoot

Open = Callable[..., Page]
SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}},
}


def serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['help']} ({one['nodes'][0]['html'][:200]})"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_pages_have_no_serious_finding(open_page: Open, finished: Match, scheme: str, size: str) -> None:
    from arena.replays.services import work_out_chances

    work_out_chances(finished.pk, playouts=20)
    options = {"color_scheme": scheme, **SIZES[size]}
    page = open_page(f"/matches/{finished.public_id}/#step=140", **options)
    findings = serious(page)
    for tab in ("Scores", "Chances"):
        page.get_by_role("tab", name=tab).click()
        findings += serious(page)
    shoot(page, f"match-{size}-{scheme}")
    for name, address in (
        ("home", "/"),
        ("how-to-play", "/how-to-play/"),
        ("embed", f"/matches/{finished.public_id}/embed/"),
    ):
        other = open_page(address, ready=".viewer.ready .panels" if name == "embed" else "h1", **options)
        other.evaluate(
            "document.querySelectorAll('img[loading=lazy]').forEach((image) => { image.loading = 'eager'; })"
        )
        other.wait_for_load_state("networkidle")
        findings += [f"{name}: {one}" for one in serious(other)]
        shoot(other, f"{name}-{size}-{scheme}")
    assert findings == []
