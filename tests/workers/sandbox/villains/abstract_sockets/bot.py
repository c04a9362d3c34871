"""Looks for a socket of the host's that has no file."""

import os
import socket

from cast import attempt

NAME = "\0" + os.environ["HOST_ABSTRACT"]
attempt("stream", lambda: socket.socket(socket.AF_UNIX).connect(NAME))
attempt("datagram", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"x", NAME))
