"""A measurement that nobody ran for a week still runs: each here in its smallest form."""

import pytest

from bench import runner


def test_the_runner_is_measured_beside_its_limit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(runner, "ROUNDS", 1)
    runner.main()
    printed = capsys.readouterr().out
    assert printed.count("match over ping-pong over") == 3
    assert "the host's own work per decision" in printed
