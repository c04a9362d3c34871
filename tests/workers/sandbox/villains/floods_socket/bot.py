"""Sends messages that nobody asked for, and opens all the connections it can."""

import socket
import time

from cast import SOCKET, Line, play

from proto import codec
from proto.messages import Decision

line = Line()
play(line, decisions=2)
crowd = []
for _ in range(100):
    connection = socket.socket(socket.AF_UNIX)
    connection.setblocking(False)
    try:
        connection.connect(SOCKET)
    except OSError:
        break
    crowd.append(connection)
for number in range(100_000):
    line.outbox.put(codec.write_decision(Decision(10**6 + number, 0, "x" * 200)))
time.sleep(60)
