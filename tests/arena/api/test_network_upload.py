"""The last step of *Learn from a million games*: the trained network goes up with its bot, as it is."""

from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from arena.accounts.models import User
from arena.bots.models import Status, Version
from aztlan.cli import main
from engine.kernel import native_form
from tests.docs.network_bot import follow_the_page

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not native_form(), reason="the native kernel is not built here"),
]


def test_a_network_bot_of_the_page_is_uploaded_with_its_weights(
    signed_in: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    bot = follow_the_page(tmp_path)
    assert main(["upload", "my-bot", "--create", "My bot"]) == 0
    assert "my-bot version 1 is checked" in capsys.readouterr().out
    version = Version.objects.get(bot__owner=signed_in)
    assert version.status == Status.CHECKED
    with version.archive.open() as file, ZipFile(file) as archive:
        kept = archive.read("value-4.npz")
    assert sha256(kept).digest() == sha256((bot / "value-4.npz").read_bytes()).digest()
    assert len(kept) < 1_000_000
