"""What `make up` says on a machine that takes its time."""

import pytest

from arena.up import run
from arena.up.address import Address
from arena.up.make import Make
from arena.up.supervisor import Supervisor


class SlowAddress(Address):
    """An address at which a web server answers from the third time on."""

    asked = 0

    def answers(self) -> bool:
        SlowAddress.asked += 1
        return SlowAddress.asked > 2


def test_an_arena_that_starts_slowly_says_so_once_and_then_where_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "READY_SECONDS", 0)
    monkeypatch.delenv("MAKELEVEL", raising=False)
    run.announce_when_ready(Supervisor(), SlowAddress("127.0.0.1", 8000), "", Make())
    said = capsys.readouterr().out
    assert said.count("Still trying") == 1
    assert said.index("Still trying") < said.index("The arena runs at http://localhost:8000/")
