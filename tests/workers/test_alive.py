"""The sign of life is given by the consumer, and only where somebody asked for it."""

from pathlib import Path
from typing import Any

import pytest

from workers.alive import ShowLife


class Timer:
    """Stands for the consumer's own timer, which a test cannot wait for."""

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def call_repeatedly(self, seconds: float, call: Any) -> "Timer":
        self.calls.append(call)
        return self

    def cancel(self) -> None:
        self.calls.clear()


class Consumer:
    def __init__(self) -> None:
        self.timer = Timer()


def test_a_consumer_touches_the_file_at_each_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_ALIVE_FILE", str(tmp_path / "alive"))
    consumer = Consumer()
    step = ShowLife(consumer)
    step.start(consumer)
    assert (tmp_path / "alive").exists()
    (tmp_path / "alive").unlink()
    [touch] = consumer.timer.calls
    touch()
    assert (tmp_path / "alive").exists()
    step.stop(consumer)
    assert consumer.timer.calls == []


def test_nothing_is_touched_where_no_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARENA_ALIVE_FILE", raising=False)
    consumer = Consumer()
    ShowLife(consumer).start(consumer)
    assert consumer.timer.calls == []
