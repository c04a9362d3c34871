"""A slot is a uid that no other running sandbox of the machine has."""

import subprocess
import sys
from pathlib import Path

import pytest

from workers.sandbox.base import SandboxError
from workers.sandbox.slots import Slots

HOLDER = """
import sys
from pathlib import Path
from workers.sandbox.slots import Slots
print(Slots(500, 3, Path(sys.argv[1])).take().uid, flush=True)
sys.stdin.read()
"""


def test_a_taken_slot_is_not_given_twice(tmp_path: Path) -> None:
    slots = Slots(500, 3, tmp_path)
    taken = [slots.take() for _ in range(3)]
    assert [slot.uid for slot in taken] == [500, 501, 502]
    with pytest.raises(SandboxError, match="All 3 sandbox slots"):
        slots.take()
    taken[1].release()
    assert slots.take().uid == 501


def test_hosts_on_one_machine_share_the_slots_and_the_dead_give_theirs_back(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == b"500\n"
        slots = Slots(500, 3, tmp_path)
        assert slots.take().uid == 501
        other.kill()
        other.wait()
        assert slots.take().uid == 500
