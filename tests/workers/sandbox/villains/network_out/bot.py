"""Calls home over every kind of socket."""

import os
import socket

from cast import attempt

PORT = int(os.environ["HOST_PORT"])
attempt("tcp to the host", lambda: socket.create_connection(("127.0.0.1", PORT), timeout=2))
attempt("tcp to the world", lambda: socket.create_connection(("192.0.2.1", 80), timeout=2))
attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53)))
attempt("tcp over ipv6", lambda: socket.create_connection(("::1", PORT), timeout=2))
attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
attempt("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
attempt("vsock", lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM))
attempt("name", lambda: socket.getaddrinfo("example.org", 80))
