import subprocess
import sys
from pathlib import Path

import pytest

from arena.embedded.home import Home


def test_a_secret_is_made_once_and_is_only_for_its_owner(tmp_path: Path) -> None:
    home = Home(tmp_path / "new")
    secret = home.secret("key", 50)
    assert len(secret) == 50
    assert Home(tmp_path / "new").secret("key", 50) == secret
    assert (tmp_path / "new" / "key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["key"]


def test_processes_that_make_a_secret_at_once_agree_on_it(tmp_path: Path) -> None:
    code = (
        f"from arena.embedded.home import Home, Path; print(Home(Path({str(tmp_path)!r})).secret('key', 20))"
    )
    makers = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    assert len({maker.communicate()[0] for maker in makers}) == 1


def test_a_folder_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit, match=r"cannot be used \(not a directory\): set ARENA_HOME"):
        Home(tmp_path / "file" / "home").create()
    with pytest.raises(SystemExit, match=r"cannot be used \(not a directory\): set ARENA_HOME"):
        Home(tmp_path / "file" / "home").secret("key", 50)


def test_two_folders_never_share_a_socket(tmp_path: Path) -> None:
    deep = "x" * 120
    first, second = Home(tmp_path / "a" / deep), Home(tmp_path / "b" / deep)
    assert first.redis_socket != second.redis_socket
    assert first.redis_socket.parent != Home(tmp_path / "a" / deep).socket_folder(first.postgres)
