"""Calls what no game needs."""

import ctypes
import os

from cast import attempt, call

X86 = os.uname().machine == "x86_64"
CALLS = {
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "fanotify_init": (300, 262),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "clock_settime": (227, 112),
    "settimeofday": (164, 170),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "quotactl": (179, 60),
    "acct": (163, 89),
    "sync": (162, 81),
    "memfd_secret": (447, 447),
    "move_pages": (279, 239),
    "landlock": (444, 444),
    "lookup_dcookie": (212, 18),
}
for name, numbers in CALLS.items():
    buffer = ctypes.create_string_buffer(256)
    attempt(name, lambda n=numbers, b=buffer: call(n[0] if X86 else n[1], 0, b, 0, 0, 0, 0))
