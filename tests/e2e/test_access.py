"""Every page for spectators: no serious finding of axe, light and dark, wide and narrow; pictures of each."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from arena.matches.models import Match
from tests.e2e.conftest import shoot
from tests.e2e.looks import SIZES, serious

Open = Callable[..., Page]


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
