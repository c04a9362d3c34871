"""The engine in a reader's browser: what is downloaded, how soon it answers, and how fast it plays.

Chromium against one web process on this machine, so that times are the browser's and not a network's. *Cold* is
an empty cache; *warm* is a new page of the same browser, whose cache has the files.
"""

import json
import os
import shutil
import statistics
from typing import Any

from bench.figures import figure
from bench.viewer import ADDRESS, small_arena

CHROMIUM = shutil.which("chromium")
TIMES = 5
PLAY_MS = 5000

# Resolves to how long the first answer took, in milliseconds.
FIRST_ANSWER = """async (engine) => {
  const { Engine } = await import("/static/browser/engine.js");
  const quiet = { progress() {}, starting() {}, checked() {} };
  window.engine = new Engine(engine, {}, quiet);
  const begun = performance.now();
  await window.engine.ask("verify", { record: "{}" });
  return performance.now() - begun;
}"""
VERIFY = """async ([record, shown, expected]) => {
  const begun = performance.now();
  const checks = await window.engine.ask("verify", { record, shown, expected });
  return [performance.now() - begun, checks.every((check) => check.state === "ok")];
}"""
# Plays random decisions of one seat against three random bots, as the page "Play offline" does.
PLAY = """async ([seats, ms]) => {
  let games = 0, decisions = 0;
  const begun = performance.now();
  while (performance.now() - begun < ms) {
    let { turn } = await window.engine.ask("play", { seats, edition: "english" });
    while (turn.legal.length) {
      const action = turn.legal[Math.floor(Math.random() * turn.legal.length)];
      ({ turn } = await window.engine.ask("apply", { number: turn.number, action }));
      decisions += 1;
    }
    games += 1;
  }
  const took = performance.now() - begun;
  return [games / (took / 1000), took / decisions];
}"""


def open_match(context: Any, path: str) -> Any:
    page = context.new_page()
    page.goto(path)
    page.wait_for_selector(".viewer.ready")
    return page


def page_data(page: Any) -> Any:
    return json.loads(page.locator("#verify-page").text_content())


def measure_loading(browser: Any, path: str) -> None:
    """First answers of new browsers, and of new pages in them."""
    cold, warm, sent = [], [], 0
    for _ in range(TIMES):
        context = browser.new_context(base_url=ADDRESS)
        page = open_match(context, path)
        engine = page_data(page)["engine"]
        sent = engine["sent"]
        cold.append(page.evaluate(FIRST_ANSWER, engine))
        warm.append(open_match(context, path).evaluate(FIRST_ANSWER, engine))
        context.close()
    figure("engine in the browser, first load, sent", sent / 1e6, "MB", at_most=10)
    figure(f"first answer, cold, median of {TIMES}", statistics.median(cold) / 1000, "s")
    figure(f"first answer, warm, median of {TIMES}", statistics.median(warm) / 1000, "s")


def measure_working(browser: Any, path: str) -> None:
    """Verifying a record of four, and random games."""
    context = browser.new_context(base_url=ADDRESS)
    page = open_match(context, path)
    data = page_data(page)
    page.evaluate(FIRST_ANSWER, data["engine"])
    texts = [context.request.get(data[name]).text() for name in ("record", "frames")]
    verified = [page.evaluate(VERIFY, [*texts, data["expected"]]) for _ in range(TIMES)]
    if not all(is_ok for _, is_ok in verified):
        raise SystemExit("the record was not verified: there is nothing to measure")
    figure(f"a record of four verified, median of {TIMES}", statistics.median(ms for ms, _ in verified), "ms")
    for seats in (2, 4):
        games, decision = page.evaluate(PLAY, [[None, *["random"] * (seats - 1)], PLAY_MS])
        figure(f"random games of {seats}, with frames for one seat", games, "per second")
        figure(f"random games of {seats}, from a decision to the next", decision, "ms")
    games, decision = page.evaluate(PLAY, [[None, "greedy", "settler", "warlord"], PLAY_MS])
    figure("against greedy, settler and warlord, from a decision to the next", decision, "ms")
    context.close()


def main() -> None:
    from arena.browser.pyodide_package import fetch_pyodide, is_fetched

    if not CHROMIUM:
        raise SystemExit("This is measured in a browser, and there is none: sudo apt-get install chromium")
    if not is_fetched():
        fetch_pyodide()
    from playwright.sync_api import sync_playwright

    with small_arena():
        from bench._cast import ask_for, finish, make_bot

        match = ask_for([make_bot(f"bot-{number}") for number in range(4)])
        finish(match)
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            measure_loading(browser, f"/matches/{match.public_id}/")
            measure_working(browser, f"/matches/{match.public_id}/")
            browser.close()


if __name__ == "__main__":
    main()
