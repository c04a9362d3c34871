"""Calls the kernel in a dialect that a careless filter does not know."""

import os

from cast import call

if os.uname().machine == "x86_64":
    call(0x40000000 | 39)
else:
    print("another processor architecture")  # has no such calls
print("ESCAPED: still here", flush=True)
