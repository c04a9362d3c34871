"""`manage.py capacity`: cores and disk from measured figures."""

import pytest
from django.core.management import CommandError, call_command

from arena.operations.capacity import Demand, size_for


def test_an_arena_without_matches_needs_the_servers_only() -> None:
    size = size_for(Demand(matches_per_day=0, cpu_per_match=5))
    assert (size.host_cores, size.arena_cores, size.gigabytes_per_month) == (0, 1, 0)


def test_cores_follow_from_the_peak_and_disk_from_the_average() -> None:
    size = size_for(Demand(28_800, cpu_per_match=6, requests_per_second=100, requests_per_core=50))
    assert size.host_cores == pytest.approx(6)  # one match per second at peak
    assert size.arena_cores == pytest.approx(1 + 0.05 + 2)
    assert size.gigabytes_per_month == pytest.approx(3.76, abs=0.01)


def test_the_command_says_it_in_three_lines(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("capacity", "28800", "--cpu", "6")
    assert "match hosts: 6.0 cores" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["-1"], ["1", "--cpu", "-1"], ["1", "--per-core", "0"]])
def test_numbers_that_cannot_be_are_refused(words: list[str]) -> None:
    with pytest.raises((CommandError, SystemExit)):
        call_command("capacity", *words)
