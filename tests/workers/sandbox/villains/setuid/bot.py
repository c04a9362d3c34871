"""Wants to be root, or anybody."""

import os

from cast import attempt, libc


def capset() -> int:
    import ctypes

    header, wanted = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    if libc.capset(header, wanted) < 0:
        raise OSError(ctypes.get_errno(), "capset")
    return 0


attempt("setuid", lambda: os.setuid(0))
attempt("setgid", lambda: os.setgid(0))
attempt("setresuid", lambda: os.setresuid(0, 0, 0))
attempt("setreuid", lambda: os.setreuid(0, 0))
attempt("setgroups", lambda: os.setgroups([0]))
attempt("chown", lambda: os.chown("/tmp", 0, 0))
attempt("capset", capset)
with open("/proc/self/status") as file:
    status = dict(line.split(":\t", 1) for line in file)
for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
    print("no" if int(status[name], 16) == 0 else "ESCAPED", name)
print("fine" if status["NoNewPrivs"] == "1\n" and status["Seccomp"] == "2\n" else "ESCAPED", "new privileges")
