"""`aztlan new`: a folder with a bot that plays, to begin from."""

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
"""What is to be done, by language, before the bot can play."""
SHARED = {"javascript": ("bot/v1/bot.proto",)}
"""Files of the protocol that a starter brings along."""
LONGEST_NAME = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("folder", type=Path, help="the folder to make; its name becomes the bot's")
    parser.add_argument("-l", "--language", choices=sorted(NEXT), default="python", help="(python)")


def run(options: argparse.Namespace) -> int:
    """Copy the starter and say how to go on."""
    folder: Path = options.folder
    name = bot_name(folder)
    if folder.exists():
        raise SdkError(f"{folder} is there already; choose another name")
    starter = files("aztlan") / "starters" / options.language
    try:
        shutil.copytree(
            str(starter), folder, ignore=shutil.ignore_patterns("node_modules", "__pycache__", "target")
        )
        for shared in SHARED.get(options.language, ()):
            shutil.copy(str(files(messages.__package__) / shared), folder)
    except OSError as error:
        raise SdkError(f"{folder} cannot be made: {error.strerror}") from None
    manifest = folder / "bot.toml"
    manifest.write_text(manifest.read_text("utf-8").replace("my-bot", name), "utf-8")
    print(f"{folder} is a bot in {options.language}. Now:")
    steps = (*NEXT[options.language], "aztlan play {folder} greedy random", "aztlan check {folder}")
    for step in steps:
        print("  " + step.format(folder=shlex.quote(str(folder))))
    return 0


def bot_name(folder: Path) -> str:
    """The folder's name, if a bot may be called so."""
    name = folder.resolve().name
    if not 0 < len(name) <= LONGEST_NAME or any(
        unicodedata.category(sign)[0] == "C" or sign in '"\\' for sign in name
    ):
        raise SdkError(f"{name!r:.80} will not do as a bot's name: at most {LONGEST_NAME} plain characters")
    return name
