"""What `aztlan check` calls fit, the arena takes: the same files, the same limits, the same packages."""

import io
import json
import os
import zipfile

import pytest

from aztlan.local.package import read_package
from workers.archives import ArchiveError, check

PATIENT = "60000,300000,0,60000"
BOT = """
    {head}
    from aztlan import Bot, run

    class First(Bot):
        def choose(self, seen, legal):
            return legal[0]

    run(First())
"""


@pytest.fixture
def judged(command):
    """Check a bot in a few games; return the exit code, the verdicts by name and those that were skipped."""

    def run(path):
        code, printed, _ = command("check", path, "-n1", "-j1", "--json", "--clocks", PATIENT)
        verdicts = json.loads(printed)["verdicts"]
        skipped = {one["what"] for one in verdicts if one["skipped"]}
        return code, {one["what"]: (one["passed"], one["why"]) for one in verdicts}, skipped

    return run


@pytest.fixture
def folder(bot_folder):
    """A bot that does something first."""
    return lambda head="": bot_folder("python", "bot.py", {"bot.py": BOT.format(head=head)})


def test_a_bot_that_imports_what_the_sandbox_lacks_is_not_fit(judged, folder):
    code, verdicts, _ = judged(folder("import psutil"))  # which is installed here, and in no sandbox
    assert code == 1
    for what in ("sandbox", "start-up", "legal play"):
        assert not verdicts[what][0]
    assert "No module named 'psutil'" in verdicts["sandbox"][1]
    assert "No module named 'psutil'" in verdicts["legal play"][1]


@pytest.mark.parametrize("name", ["build", "target", "dist", "out"])
def test_files_in_a_folder_of_any_name_belong_to_the_bot(judged, folder, name):
    path = folder(f"open('{name}/weights.txt').read()")
    (path / name).mkdir()
    (path / name / "weights.txt").write_text("1 2 3")
    code, verdicts, _ = judged(path)
    assert (code, verdicts["sandbox"][0]) == (0, True)
    with zipfile.ZipFile(io.BytesIO(read_package(path).content)) as sent:
        assert f"{name}/weights.txt" in sent.namelist()


def test_what_is_left_out_is_named_and_not_there_in_the_games_either(judged, folder):
    path = folder("open('.weights').read()")
    (path / ".weights").write_text("1 2 3")
    code, verdicts, _ = judged(path)
    assert code == 1
    assert "left out: .weights" in verdicts["archive"][1]
    assert "No such file or directory: '.weights'" in verdicts["legal play"][1]


def test_a_folder_that_packs_to_more_than_an_upload_may_have_is_not_fit(judged, folder):
    path = folder()
    for name in "ab":
        (path / name).write_bytes(os.urandom(11 * 1024 * 1024))
    code, verdicts, _ = judged(path)
    assert code == 1
    assert verdicts == {"archive": (False, "The archive is larger than 20 MiB.")}


def test_a_zip_that_the_arena_refuses_is_refused_for_the_same_reason(judged, tmp_path):
    path = tmp_path / "bot.zip"
    path.write_bytes(b"PK, but no archive")
    code, verdicts, _ = judged(path)
    with pytest.raises(ArchiveError) as refused:
        check(io.BytesIO(path.read_bytes()))
    assert code == 1
    assert verdicts == {"archive": (False, refused.value.sentence)}


def test_a_file_that_does_not_compile_fails_as_the_arenas_build_does(judged, folder):
    path = folder()
    (path / "unused.py").write_text("def half(:\n")
    code, verdicts, _ = judged(path)
    assert code == 1
    assert not verdicts["build"][0]
    assert "unused.py" in verdicts["build"][1]
    assert "line 1" in verdicts["build"][1]


def test_what_this_machine_cannot_check_is_said(judged, folder, command, monkeypatch):
    monkeypatch.setenv("ARENA_SANDBOX", "none")
    path = folder()
    code, verdicts, skipped = judged(path)
    assert (code, skipped) == (0, {"sandbox"})
    assert "not checked here" in verdicts["sandbox"][1]
    _, printed, _ = command("check", path, "-n1", "-j1", "--clocks", PATIENT)
    assert "?     sandbox" in printed
    assert printed.splitlines()[-1] == (
        "tested is fit for the arena as far as this machine can tell; not checked: sandbox."
    )


def test_imports_are_held_to_the_arenas_kit_where_there_is_no_sandbox_too(judged, folder, monkeypatch):
    monkeypatch.setenv("ARENA_SANDBOX", "none")
    code, verdicts, _ = judged(folder("import psutil"))
    assert code == 1
    assert "No module named 'psutil'" in verdicts["legal play"][1]


def test_the_numbers_of_reinforcement_learning_are_there_in_the_sandbox(judged, bot_folder):
    source = """
        import aztlan.rl
        from aztlan import Bot, run

        class Learned(Bot):
            def choose(self, seen, legal):
                board = self.match.board
                assert len(aztlan.rl.encode(seen, board)) > 100
                return aztlan.rl.actions(board)[aztlan.rl.action_mask(legal, board).index(1)]

        try:
            aztlan.rl.env()
        except ModuleNotFoundError as error:
            assert "need the extra `rl`" in str(error)
            run(Learned())
    """
    code, verdicts, _ = judged(bot_folder("python", "bot.py", {"bot.py": source}))
    assert (code, verdicts["sandbox"][0]) == (0, True)
