"""Bots that cannot be used, given to every command that takes one: what, where, and what to do."""

import pytest

COMMANDS = {
    "play": ("play", "BOT", "random", "-n", "1", "--in-process"),
    "check": ("check", "BOT", "-n", "1"),
    "test": ("test", "random", "BOT", "--in-process"),
    "climb": ("climb", "BOT", "--in-process"),
    "profile": ("profile", "BOT", "-n", "1"),
    "fuzz": ("fuzz", "BOT", "-n", "2"),
    "debug": ("debug", "abc", "BOT"),
}
MANIFEST = 'name = "mine"\nruntime = "{}"\nentry = "bot.py"\n'
SOUND = "from aztlan import Bot, run\n\nclass A(Bot):\n    def choose(self, observation, legal):\n        return legal[0]\n\nrun(A())\n"


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("AZTLAN_URL", "http://localhost:1")
    monkeypatch.setenv("AZTLAN_TOKEN", "aztlan_none")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST.format("python"))
    (folder / "bot.py").write_text(SOUND)
    return folder


@pytest.fixture(params=COMMANDS)
def run(request, command, folder):
    def run():
        code, printed, told = command(
            *[str(folder) if one == "BOT" else one for one in COMMANDS[request.param]]
        )
        return code, printed + told

    return run


def test_no_bot_toml(run, folder):
    (folder / "bot.toml").unlink()
    code, told = run()
    assert code == 2
    assert f"there is no bot.toml in {folder}" in told
    assert "`aztlan new`" in told
    assert len(told.splitlines()) <= 2


def test_a_runtime_that_does_not_exist(run, folder):
    (folder / "bot.toml").write_text(MANIFEST.format("cobol"))
    code, told = run()
    assert code in (1, 2)
    assert "cobol" in told
    assert "python" in told
    assert len(told.splitlines()) <= 2


def test_a_folder_of_two_gigabytes(run, folder):
    with (folder / "weights.bin").open("wb") as file:
        file.truncate(2 * 1024**3)  # no block of it is written
    code, told = run()
    assert code in (1, 2)
    assert "MiB" in told
    assert len(told.splitlines()) <= 2


@pytest.mark.parametrize("name", ["play", "test", "climb", "profile", "fuzz"])
@pytest.mark.parametrize(
    ("source", "said"),
    [
        (SOUND.replace("return legal[0]", "return legal["), "bot.py"),
        (SOUND.replace("return legal[0]", "raise ValueError('lost')"), "ValueError: lost"),
    ],
)
def test_a_bot_that_does_not_run_is_named_with_its_file_and_line(command, folder, name, source, said):
    (folder / "bot.py").write_text(source)
    code, printed, told = command(*[str(folder) if one == "BOT" else one for one in COMMANDS[name]])
    assert code == 1
    assert said in printed + told
    assert f"{folder}/bot.py" in printed + told
    assert any(line in printed + told for line in ("line 5", "bot.py:5", "line 4", "bot.py:4"))


def test_a_bot_that_prints_on_stdout_does_no_harm(command, folder):
    (folder / "bot.py").write_text(SOUND.replace("return legal[0]", "print('thinking'); return legal[0]"))
    for name in ("test", "fuzz"):
        code, printed, _ = command(
            *[str(folder) if one == "BOT" else one for one in COMMANDS[name]], "--json"
        )
        assert code in (0, 1)
        assert printed.startswith("{")
        assert "thinking" not in printed


def test_no_arena_answers(command, folder):
    code, _, told = command("debug", "abc123", folder)
    assert code == 2
    assert "http://localhost:1 does not answer" in told
    assert len(told.splitlines()) == 1
