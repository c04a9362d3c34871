"""The command `aztlan`: one module per command, each with `add_arguments(parser)` and `run(arguments)`."""

import argparse
import os
import sys
from importlib import import_module

from aztlan.errors import SdkError
from aztlan.version import VERSION

COMMANDS = {
    "new": "make a folder with a starter bot",
    "play": "play games between bots on this machine",
    "runtime": "show what bots get in the arena: interpreters, packages, compilers",
    "check": "find out whether a bot is fit for the arena",
    "test": "find out whether a new version is better than an old one",
    "climb": "find out which house bots a bot is better than",
    "debug": "feed a bot what its seat was told in a match, and see what it decides now",
    "profile": "measure a bot's time, memory and start-up against the arena's limits",
    "fuzz": "put a bot into odd positions, to find crashes, illegal answers and slow decisions",
    "replay": "print a game record step by step",
    "view": "look at a game in the browser",
    "verify": "replay game records and say whether they are valid",
    "verify-tournament": "recompute a tournament from its public export",
    "login": "sign in to an arena",
    "upload": "send a bot to the arena as its next version",
    "bots": "list your bots, or those of a team",
    "teams": "list the teams that you are in",
    "status": "show how far a version has got",
    "logs": "read the logs of your versions and matches",
    "matches": "list the arena's matches",
    "ladder": "show the standings of a ladder of the arena",
    "challenge": "ask the arena for a match against chosen bots",
}
WRONG_USE = 2
"""Exit codes: 0 success, 1 a check or a record failed, 2 the command could not run."""


def module_of(command: str) -> str:
    return f"{__name__}.{command.replace('-', '_')}"


def main(arguments: list[str] | None = None) -> int:
    """Run a command; every error is one sentence on stderr."""
    given = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(
        prog="aztlan", description="Write, test and study bots that play Aztlán."
    )
    parser.add_argument("--version", action="version", version=f"aztlan {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        if name in given[:1]:  # the other commands' modules need not be loaded
            import_module(module_of(name)).add_arguments(command)
    options = parser.parse_args(given)
    if options.command is None:
        parser.print_help(sys.stderr)
        return WRONG_USE
    try:
        return int(import_module(module_of(options.command)).run(options))
    except SdkError as error:
        print(f"aztlan {options.command}: {error}", file=sys.stderr)
        return WRONG_USE
    except BrokenPipeError:  # as in `aztlan replay game.json | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("aztlan: stopped", file=sys.stderr)
        return 130
