"""`aztlan runtime`, and the imports that `aztlan check` warns of."""

import json

import pytest

from aztlan.cli import main
from aztlan.local.imports import judge_imports
from workers.archives import Manifest
from workers.runtimes.contract import RUNTIME


def test_the_command_shows_the_contract_and_what_is_here(capsys):
    assert main(["runtime"]) == 0
    shown = capsys.readouterr().out
    assert RUNTIME in shown
    assert "onnxruntime" in shown
    assert main(["runtime", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    numpy = next(one for one in data["languages"][0]["components"] if one["name"] == "numpy")
    assert numpy["here"]
    assert numpy["least"] == "2"


@pytest.fixture
def judge(tmp_path):
    """Write a bot's files, and return what is said of its imports."""

    def write(**files):
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_py", ".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        [found] = judge_imports(Manifest("mine", "python", "bot.py"), tmp_path)
        return found

    return write


def test_what_the_runtime_and_the_folder_have_is_fine(judge):
    found = judge(
        bot_py="import json, numpy as np, onnxruntime\nfrom aztlan.rules import State\nimport helpers\nfrom lib import x\n",
        helpers_py="from . import bot\nimport grpc\n",
        lib__x_py="import helpers\n",
    )
    assert found.passed
    assert not found.warning


def test_what_is_not_there_is_a_warning_with_file_and_line(judge):
    found = judge(bot_py="import json\n\ntry:\n    import torch\nexcept ImportError:\n    torch = None\n")
    assert found.passed
    assert found.warning
    assert "torch (bot.py, line 4)" in found.why
    assert RUNTIME in found.why


def test_a_bot_in_another_language_has_no_such_imports(tmp_path):
    assert judge_imports(Manifest("mine", "jsonlines", "bot.cpp"), tmp_path) == []


def test_check_shows_the_warning_and_the_bot_is_fit(bot_folder, capsys):
    bot = """\
        from aztlan import Bot, run
        try:
            import torch
        except ImportError:
            torch = None

        class Tested(Bot):
            def choose(self, observation, legal):
                return legal[0]

        run(Tested())
        """
    folder = bot_folder("python", "bot.py", {"bot.py": bot})
    assert main(["check", str(folder), "-n", "1"]) == 0
    assert "warn  imports" in capsys.readouterr().out
