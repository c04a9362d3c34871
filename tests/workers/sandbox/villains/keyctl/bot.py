"""Keeps keys where others could find them."""

import os

from cast import attempt, call

ADD_KEY, REQUEST_KEY, KEYCTL = (248, 249, 250) if os.uname().machine == "x86_64" else (217, 218, 219)
attempt("add_key", lambda: call(ADD_KEY, b"user", b"name", b"value", 5, -4))
attempt("request_key", lambda: call(REQUEST_KEY, b"user", b"name", None, -4))
attempt("keyctl", lambda: call(KEYCTL, 0, -3, 1))
attempt("join a session", lambda: call(KEYCTL, 1, b"shared"))
