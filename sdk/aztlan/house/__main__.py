"""`python -m aztlan.house greedy [seed]`: a house bot as a process of its own, like any other bot."""

import secrets
import sys

from aztlan.client import run
from aztlan.house import HOUSE


def main(arguments: list[str]) -> None:
    """Run the house bot that the first argument names."""
    name, seed = (*arguments, "", "")[:2]
    if name not in HOUSE:
        sys.exit(f"name a house bot: {', '.join(HOUSE)}")
    run(HOUSE[name](int(seed) if seed.isdecimal() else secrets.randbits(32)))


if __name__ == "__main__":
    main(sys.argv[1:])
