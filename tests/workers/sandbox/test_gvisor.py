"""gVisor, where runsc is installed: villains play real matches against honest bots, all in second kernels."""

import shutil
from collections.abc import Iterator

import pytest

from tests.workers.sandbox.conftest import Harness
from tests.workers.sandbox.test_villains import play_and_judge

pytestmark = pytest.mark.skipif(not shutil.which("runsc"), reason="runsc is not installed")

# Those whose attempts mean something to a second kernel too, and those that its own processes must survive.
VILLAINS = [
    "host_files",
    "other_seats",
    "abstract_sockets",
    "own_folder",
    "memory_bomb",
    "stdout_flood",
    "double_fork",
]


@pytest.fixture(scope="module")
def gvisor() -> Iterator[Harness]:
    harness = Harness("root", "gvisor")
    assert harness.opening["cold"].startswith("sandbox gvisor")
    yield harness
    harness.close()


@pytest.mark.parametrize("name", VILLAINS)
def test_a_second_kernel_holds_too(name: str, gvisor: Harness) -> None:
    play_and_judge(name, gvisor)


def test_an_ordinary_user_can_use_it() -> None:
    harness = Harness("user", "gvisor")
    play_and_judge("leaves_children", harness)
    harness.close()
