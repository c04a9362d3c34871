"""The last words of `make up`'s start: whose bots can play, and what to do for those that cannot."""

from pathlib import Path

import pytest

from arena.up.run import fetch_node_packages, what_plays


@pytest.mark.parametrize(
    ("languages", "sentence"),
    [
        (["Python"], "Python bots can play."),
        (["Python", "C++"], "Python and C++ bots can play."),
        (["Python", "JavaScript", "C++"], "Python, JavaScript and C++ bots can play."),
        ([], "WARNING: no match host has reported that it can play bots."),
    ],
)
def test_they_name_the_languages_that_play(languages: list[str], sentence: str) -> None:
    assert what_plays({"languages": languages}) == sentence


def test_what_does_not_work_is_a_warning_and_what_is_not_installed_a_remark() -> None:
    ready = {"languages": ["Python"], "trouble": ["C++ bots cannot play."], "missing": ["Go: install it."]}
    assert what_plays(ready).splitlines()[1:] == ["WARNING: C++ bots cannot play.", "Go: install it."]


def test_a_web_server_that_says_nothing_is_no_crash() -> None:
    assert what_plays({}).startswith("WARNING")


def test_without_npm_the_start_goes_on_and_names_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "node").write_text("#!/bin/sh\n")
    (tmp_path / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("MATCH_HOST_LANGUAGES", "Python,JavaScript")
    monkeypatch.setenv("ARENA_NODE_MODULES", str(tmp_path / "node_modules"))
    fetch_node_packages()
    assert "failed: npm is not installed: `apt-get install npm`." in capsys.readouterr().out


def test_where_node_is_not_there_nothing_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    fetch_node_packages()
    assert capsys.readouterr().out == ""
