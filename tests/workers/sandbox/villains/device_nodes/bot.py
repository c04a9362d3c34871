"""Wants a device."""

import os
import stat

from cast import attempt

attempt("make memory", lambda: os.mknod("/tmp/mem", stat.S_IFCHR | 0o666, os.makedev(1, 1)))
attempt("make disk", lambda: os.mknod("/tmp/disk", stat.S_IFBLK | 0o666, os.makedev(254, 0)))
for name in (
    "mem",
    "kmem",
    "port",
    "kmsg",
    "sda",
    "vda",
    "kvm",
    "fuse",
    "tty",
    "tty0",
    "ptmx",
    "net/tun",
    "loop0",
):
    attempt(name, lambda name=name: os.open(f"/dev/{name}", os.O_RDWR))
attempt("write null", lambda: os.chmod("/dev/null", 0o000))
