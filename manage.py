#!/usr/bin/env python
"""Django's command line."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
    try:
        from django.core.management import execute_from_command_line
        from django.db import OperationalError
    except ImportError:
        sys.exit(
            "Django is not installed in this Python: run `make up` once, then use .venv/bin/python manage.py."
        )
    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        reason = " ".join(str(error).split())
        sys.exit(f"The database failed ({reason}): start the arena with `make up`, or see DATABASE_URL.")


if __name__ == "__main__":
    main()
