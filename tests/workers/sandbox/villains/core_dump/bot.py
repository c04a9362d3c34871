"""Dies as loudly as it can."""

import os
import resource

from cast import attempt


def allow_core() -> None:
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (2**20, 2**20))
    except ValueError as error:
        raise OSError(error) from error


attempt("core", allow_core)
os.abort()
