import os
import select
import signal
import subprocess
import sys

import pytest

# Prints the number of a child that is tied to it, and waits to be killed.
PARENT = """
import os, signal, subprocess, sys, time
from workers.tether import tether
parent = os.getpid()
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"],
                         preexec_fn=lambda: tether(parent, signal.SIGKILL))
print(child.pid, flush=True)
time.sleep(600)
"""


def test_a_tethered_process_ends_with_its_parent_however_that_ends() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = os.pidfd_open(int(parent.stdout.readline()))
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    # The kernel makes the handle readable when the process ends.
    ended, _, _ = select.select([child], [], [], 30)
    parent.stdout.close()
    os.close(child)
    assert ended


@pytest.mark.parametrize("module", ["workers.host.table_host", "workers.host.proof"])
def test_a_process_whose_host_ended_while_it_started_ends_too(module: str) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    started = subprocess.run([sys.executable, "-m", module, str(gone.pid)], timeout=60)
    assert started.returncode in (-signal.SIGTERM, -signal.SIGKILL)
