"""Makes generations of children; parents end before, after and while their children stop or end."""

import os
import signal
import threading
import time


def live(depth: int) -> None:
    if depth == 0:
        os.kill(os.getpid(), signal.SIGSTOP)
    for _ in range(2):
        if os.fork() == 0:
            live(depth - 1)
    if depth % 2:
        os._exit(0)
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(3600)


signal.signal(signal.SIGCHLD, signal.SIG_IGN)
threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
if os.fork() == 0:
    live(3)
time.sleep(0.5)
os._exit(0)  # the first process inside goes while the others are stopped
