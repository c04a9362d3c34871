"""`aztlan upload`: send a bot to the arena as its next version."""

import argparse
import sys
from pathlib import Path

from aztlan.cli.status import follow, show_version
from aztlan.errors import SdkError
from aztlan.local.package import Package, left_out_text, read_package
from aztlan.remote import Arena, RemoteError
from aztlan.remote_account import signed_in_arena
from workers.archives import ArchiveError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("path", type=Path, help="the bot's folder, a zip archive or a single .py file")
    parser.add_argument("--bot", metavar="ADDRESS", help="the bot's address on the arena (the folder's name)")
    parser.add_argument("--create", metavar="NAME", help="create the bot under this name first")
    parser.add_argument("--team", metavar="NAME", help="with --create, the team of yours that owns the bot")
    playing = parser.add_mutually_exclusive_group()
    playing.add_argument(
        "--when-better",
        action="store_true",
        help="from now on, play new versions of this bot only once they have proved better",
    )
    playing.add_argument(
        "--at-once", action="store_true", help="from now on, play new versions of this bot at once"
    )
    parser.add_argument(
        "--watch", action="store_true", help="wait until it is active or rejected, and its test is over"
    )


def run(options: argparse.Namespace) -> int:
    """Upload; return 1 if the arena rejects the version."""
    if options.team and not options.create:
        raise SdkError("--team needs --create: a bot that exists has its owner")
    arena = signed_in_arena()
    bot = options.bot or options.path.resolve().stem
    package = open_package(options.path)
    if options.create:
        create(arena, bot, options.create, options.team)
    try:
        version = arena.upload(
            f"bots/{bot}/versions", package.file_name, package.content, **setting_of(options)
        )
    except RemoteError as error:
        if error.status == 404:
            error.args = (f"there is no bot {bot!r}: name it with --bot, or create it with --create NAME",)
        if error.status == 403:
            error.args = (f"{error} Upload yours under another address, with --bot ADDRESS",)
        raise
    if package.left_out:
        print(f"left out: {left_out_text(package.left_out)}", file=sys.stderr)
    if options.watch and version["status"] != "rejected":
        return follow(arena, bot, version["number"])
    return show_version(version)


def setting_of(options: argparse.Namespace) -> dict[str, str]:
    """Return what the upload changes of the bot's settings, as fields of the form."""
    if not (options.when_better or options.at_once):
        return {}
    return {"only_when_better": "true" if options.when_better else "false"}


def open_package(path: Path) -> Package:
    """Pack the bot for upload; the arena itself judges the contents."""
    try:
        return read_package(path)
    except ArchiveError as error:
        raise SdkError(f"{path} cannot be packed: {error.sentence}") from None


def create(arena: Arena, bot: str, name: str, team: str | None) -> None:
    try:
        arena.post("bots", {"slug": bot, "name": name, **({"team": team} if team else {})})
    except RemoteError as error:
        if "slug" in error.fields:
            error.args = (
                f"{error} Give another address with --bot; if the bot is yours, leave out --create",
            )
        raise
