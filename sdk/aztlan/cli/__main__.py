"""`python -m aztlan.cli`: the command, where `aztlan` is not on the PATH."""

import sys

from aztlan.cli import main

if __name__ == "__main__":
    sys.exit(main())
