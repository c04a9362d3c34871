"""Rearranges the file system."""

import ctypes

from cast import attempt, call, libc


def check(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result


attempt("mount", lambda: check(libc.mount(b"none", b"/tmp", b"tmpfs", 0, None)))
attempt("bind", lambda: check(libc.mount(b"/", b"/tmp", None, 4096, None)))
attempt("remount", lambda: check(libc.mount(None, b"/bot", None, 32 | 4096, None)))
attempt("umount", lambda: check(libc.umount2(b"/proc", 2)))
attempt("chroot", lambda: check(libc.chroot(b"/tmp")))
attempt("fsopen", lambda: call(430, b"tmpfs", 0))
attempt("open_tree", lambda: call(428, -100, b"/", 1))
attempt("mount_setattr", lambda: call(442, -100, b"/", 0, b"\0" * 32, 32))
