"""`python -m aztlan.cli`: the command where it is not on the path."""

import sys

from aztlan.cli import main

if __name__ == "__main__":
    sys.exit(main())
