"""gVisor, where runsc is installed: villains play real matches against honest bots, all in second kernels."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.sandbox.conftest import Harness
from tests.workers.sandbox.test_villains import play_and_judge
from workers.sandbox.base import Launch, SandboxSettings
from workers.sandbox.choose import open_sandbox

pytestmark = pytest.mark.skipif(not shutil.which("runsc"), reason="runsc is not installed")

# Those whose attempts mean something to a second kernel too, and those that its own processes must survive.
VILLAINS = ["other_seats", "abstract_sockets", "own_folder", "socket_tricks", "memory_bomb", "double_fork"]


@pytest.fixture(scope="module")
def gvisor() -> Iterator[Harness]:
    harness = Harness("root", "gvisor")
    assert harness.opening["cold"].startswith("sandbox gvisor")
    yield harness
    harness.close()


@pytest.mark.parametrize("name", VILLAINS)
def test_a_second_kernel_holds_too(name: str, gvisor: Harness) -> None:
    play_and_judge(name, gvisor)


async def test_the_hosts_files_and_kernel_are_not_there(bot_folder: Path) -> None:
    sandbox = await open_sandbox(SandboxSettings(kind="gvisor", first_uid=71_300))
    names = ["/etc/passwd", "/root", "/home", str(bot_folder), "/proc/kcore"]
    program = f"import os\nprint([n for n in {names} if os.path.exists(n)], os.uname().release)"
    (bot_folder / "bot.py").write_text(program)
    exit_ = await (await sandbox.start(Launch("python", bot_folder, "bot.py"))).wait()
    await sandbox.close()
    found, release = exit_.output.decode().split(" ", 1)
    assert found == "[]"
    assert release.strip() != os.uname().release


def test_an_ordinary_user_can_use_it() -> None:
    harness = Harness("user", "gvisor")
    play_and_judge("leaves_children", harness)
    harness.close()
