"""Editors and type checkers find the package, as a bot's author has them: outside of the project's folder."""

import os
import subprocess
import sys
from pathlib import Path

import aztlan

SOURCE = """\
from aztlan import Bot, Kind, group, run
from aztlan.rl import encode


class Mine(Bot):
    def choose(self, observation, legal):
        return legal[0]


bot = Mine()
reveal_type(bot.time_left)
reveal_type(bot.match.board.neighbours)
reveal_type(group([1])[Kind.PASS][0].number)
reveal_type(encode)
run(bot)
"""


def test_a_type_checker_outside_of_the_project_knows_every_name(tmp_path):
    (tmp_path / "bot.py").write_text(SOURCE)
    environment = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")
    }
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--cache-dir", str(tmp_path / "cache"), "bot.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    types = [
        line.partition('Revealed type is "')[2] for line in done.stdout.splitlines() if "Revealed" in line
    ]
    assert types[:3] == ['float"', 'list[list[int]]"', 'int"']
    assert "Any" not in types[3]


def test_python_outside_of_the_project_finds_the_same_package(tmp_path):
    code = "import aztlan, engine, proto; print(aztlan.__file__)"
    done = subprocess.run([sys.executable, "-I", "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.strip().endswith("sdk/aztlan/__init__.py"), done.stderr


def test_the_python_starter_passes_the_strictest_type_check(tmp_path):
    starter = Path(aztlan.__file__).parent / "starters/python/bot.py"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file=",
            "--cache-dir",
            str(tmp_path),
            str(starter),
        ],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
