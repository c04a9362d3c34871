"""Wants its seat's socket to be something else."""

import os
import socket

from cast import SOCKET, attempt

attempt("remove", lambda: os.unlink(SOCKET))
attempt("rename", lambda: os.rename(SOCKET, SOCKET + ".old"))
attempt("mode", lambda: os.chmod(SOCKET, 0o777))
attempt("bind over it", lambda: socket.socket(socket.AF_UNIX).bind(SOCKET))
attempt("bind beside it", lambda: socket.socket(socket.AF_UNIX).bind("/run/mine.sock"))
connection = socket.socket(socket.AF_UNIX)
connection.connect(SOCKET)
for _ in range(20):
    try:
        socket.send_fds(connection, [b"x"], [0, 1, 2])
    except OSError:
        break
