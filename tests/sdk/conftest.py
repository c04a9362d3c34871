"""Bots to test with: small programs written into a temporary folder."""

import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

from aztlan.cli import main
from engine.rulesets import ruleset
from workers.polling import POLLING

SEED = bytes(range(32))


@pytest.fixture(autouse=True)
def grpc_as_it_comes(monkeypatch):
    """On an author's machine nobody has told gRPC how to poll."""
    for name in POLLING:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def rules():
    return ruleset()


@pytest.fixture
def bot_file(tmp_path):
    """Write a Python bot, given the body of its `choose` or a whole program, and return its path."""

    def write(source, name="tested.py"):
        text = textwrap.dedent(source)
        if "run(" not in text:
            head = "from aztlan import Bot, run\nimport os, subprocess, sys, time\n\nclass Tested(Bot):\n"
            method = "    def choose(self, observation, legal):\n" + textwrap.indent(text, " " * 8)
            text = f"{head}{method}\n\nrun(Tested())\n"
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


@pytest.fixture
def bot_folder(tmp_path):
    """Write a bot's folder: its manifest's runtime and entry, and its files."""

    def write(runtime, entry, files, name="tested"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "bot.toml").write_text(f'name = "{name}"\nruntime = "{runtime}"\nentry = "{entry}"\n')
        for file, text in files.items():
            (folder / file).write_text(textwrap.dedent(text))
        return folder

    return write


@pytest.fixture(scope="session")
def node_modules(tmp_path_factory):
    """The packages of the JavaScript starter, installed once a test session."""
    if not shutil.which("npm"):
        pytest.skip("npm is not installed here")
    import aztlan

    folder = tmp_path_factory.mktemp("node")
    shutil.copy(Path(aztlan.__file__).parent / "starters/javascript/package.json", folder)
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=500,
    )
    if done.returncode:
        pytest.skip(f"npm cannot install the starter's packages here: {done.stderr.strip()[-300:]}")
    return folder / "node_modules"


@pytest.fixture
def command(capsys):
    """Run `aztlan` in this process; return exit code, stdout and stderr."""

    def run(*arguments):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:  # argparse's own way out
            code = end.code
        output = capsys.readouterr()
        return code, output.out, output.err

    return run
