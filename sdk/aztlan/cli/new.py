"""`aztlan new`: create a folder with a working starter bot."""

import argparse
import shlex
import shutil
import unicodedata
from importlib.resources import files
from pathlib import Path

from aztlan.errors import SdkError
from proto import messages

NEXT = {
    "python": (),
    "javascript": ("npm install --prefix {folder}",),
    "typescript": ("npm install --prefix {folder}",),
    "cpp": (),
    "rust": (),
    "go": (),
    "java": (),
}
"""Commands to run before the bot can play, by language."""
SHARED = {"javascript": ("bot/v1/bot.proto",)}
"""Protocol files that are copied into a starter."""
LONGEST_NAME = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("folder", type=Path, help="the folder to create; its name becomes the bot's name")
    parser.add_argument("-l", "--language", choices=sorted(NEXT), default="python", help="(python)")


def run(options: argparse.Namespace) -> int:
    """Copy the starter and print the next steps."""
    folder: Path = options.folder
    name = bot_name(folder)
    if folder.exists():
        raise SdkError(f"{folder} already exists; choose another name")
    starter = files("aztlan") / "starters" / options.language
    try:
        shutil.copytree(
            str(starter), folder, ignore=shutil.ignore_patterns("node_modules", "__pycache__", "target")
        )
        for shared in SHARED.get(options.language, ()):
            shutil.copy(str(files(messages.__package__) / shared), folder)
    except OSError as error:
        raise SdkError(f"{folder} cannot be created: {error.strerror}") from None
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text("utf-8").replace("my-bot", name), "utf-8")
    print(f"{folder} is a bot in {options.language}. Now:")
    steps = (*NEXT[options.language], "aztlan play {folder} greedy random", "aztlan check {folder}")
    for step in steps:
        print("  " + step.format(folder=shlex.quote(str(folder))))
    return 0


def bot_name(folder: Path) -> str:
    """Return the folder's name; raise SdkError if it is not a valid bot name."""
    name = folder.resolve().name
    if not 0 < len(name) <= LONGEST_NAME or any(
        unicodedata.category(sign)[0] == "C" or sign in '"\\' for sign in name
    ):
        raise SdkError(f"{name!r:.80} is not a valid bot name: use at most {LONGEST_NAME} plain characters")
    return name
