"""Asks for a ring."""

import ctypes

from cast import attempt, call

attempt("setup", lambda: call(425, 8, ctypes.create_string_buffer(120)))
attempt("enter", lambda: call(426, 0, 1, 0, 0, None, 0))
attempt("register", lambda: call(427, 0, 0, None, 0))
