"""Pushes in front of the others."""

import os

from cast import attempt

attempt("nice", lambda: os.nice(-5))
attempt("set priority", lambda: os.setpriority(os.PRIO_PROCESS, 0, -10))
attempt("real time", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)))
attempt("processors", lambda: os.sched_setaffinity(0, {0}))
