"""What a command line may mean by a bot, and what is said where it means nothing."""

import shutil

import pytest

from aztlan.errors import SdkError
from aztlan.house import HOUSE
from aztlan.local.players import HousePlayer, find_player


@pytest.mark.parametrize("name", HOUSE)
def test_house_bots_are_found_by_name(name, tmp_path):
    assert find_player(name, tmp_path) == HousePlayer(name)


def test_a_folder_is_called_by_its_manifest_and_a_file_by_its_name(bot_folder, bot_file, tmp_path):
    folder = bot_folder("python", "play.py", {"play.py": "pass"}, name="cuetlachtli")
    player = find_player(str(folder), tmp_path)
    assert (player.name, player.folder) == ("cuetlachtli", folder)
    assert player.argv[-1] == str(folder / "play.py")
    assert find_player(str(bot_file("pass", name="ocelotl.py")), tmp_path).name == "ocelotl"


def test_a_program_of_json_lines_is_run_behind_the_bridge(bot_folder, tmp_path):
    player = find_player(str(bot_folder("jsonlines", "a.py", {"a.py": "pass"})), tmp_path)
    assert player.argv[2:4] == ("-m", "aztlan.bridge")


@pytest.mark.parametrize(
    ("manifest", "told"),
    [
        (None, "there is no bot.toml"),
        ("name = ", "cannot be read"),
        ('name = "x"\nruntime = "python"\n', "needs entry"),
        ('name = "x"\nruntime = "cobol"\nentry = "bot.py"\n', "the runtime 'cobol'"),
        ('name = "x"\nruntime = "python"\nentry = "../bot.py"\n', "there is no such file"),
        ('name = "x"\nruntime = "python"\nentry = "bot.py"\ncommand = "sh"\n', "it may only have"),
        ("#" * 9000, "larger than 8 KiB"),
    ],
)
def test_a_folder_that_will_not_do_is_refused_in_a_sentence(manifest, told, tmp_path):
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.py").write_text("pass")
    if manifest is not None:
        (folder / "bot.toml").write_text(manifest)
    with pytest.raises(SdkError, match=told):
        find_player(str(folder), tmp_path)


def test_what_is_nothing_and_what_is_no_python_are_refused(tmp_path):
    with pytest.raises(SdkError, match="neither a house bot"):
        find_player("nobody", tmp_path)
    (tmp_path / "bot.js").write_text("")
    with pytest.raises(SdkError, match="is not a Python file"):
        find_player(str(tmp_path / "bot.js"), tmp_path)


def test_a_native_bot_that_nothing_builds_is_refused(bot_folder, tmp_path):
    with pytest.raises(SdkError, match="cannot be built"):
        find_player(str(bot_folder("native", "bot.zig", {"bot.zig": ""})), tmp_path)


@pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not installed here")
def test_a_native_bot_that_does_not_compile_is_refused_with_the_compilers_words(bot_folder, tmp_path):
    with pytest.raises(SdkError, match=r"does not build:\n(.|\n)*error"):
        find_player(str(bot_folder("native", "bot.cpp", {"bot.cpp": "int main() { return x; }"})), tmp_path)
