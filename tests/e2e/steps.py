"""Where a viewer in a browser stands, and how to lead it to an event."""

from playwright.sync_api import Page, expect


def step_of(page: Page) -> str:
    return page.locator("#viewer").get_attribute("data-step") or ""


def at_step(page: Page, step: int | str) -> None:
    expect(page.locator("#viewer")).to_have_attribute("data-step", str(step))


def go_to_event(page: Page, kind: str, after: int = 100) -> None:
    page.evaluate(
        "([kind, after]) => viewer.go(viewer.game.frames.findIndex((frame, at) => at > after"
        " && frame.events.some((event) => event.kind === kind)))",
        [kind, after],
    )
