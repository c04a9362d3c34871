"""`aztlan login`, `upload`, `status --watch`, `logs`, `matches` and `challenge`, on a live server."""

import io
import json
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connection
from pytest_django.live_server_helper import LiveServer

from arena.accounts import limits
from arena.accounts.limits import Limit
from arena.accounts.models import ApiToken, User
from arena.bots import services
from arena.bots.models import Bot, Status, Version
from arena.ladders.results import settle_match
from arena.matches.models import Match, SeatLog
from aztlan import remote_account
from aztlan.cli import challenge as challenge_command
from aztlan.cli import ladder as ladder_command
from aztlan.cli import main
from aztlan.cli import status as status_command
from aztlan.errors import SdkError
from aztlan.remote import Arena, plain
from tests.arena.cast import ask_for, finish, make_season
from tests.arena.people import PASSWORD, make_active, make_person, pass_validation

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("AZTLAN_URL", raising=False)
    monkeypatch.delenv("AZTLAN_TOKEN", raising=False)
    monkeypatch.setattr(status_command, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(challenge_command, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(ladder_command, "PAUSE_SECONDS", 0.05)
    return tmp_path


@pytest.fixture
def signed_in(live_server: LiveServer, home: Path, monkeypatch: pytest.MonkeyPatch) -> User:
    itzel = make_person("itzel")
    monkeypatch.setattr("sys.stdin", io.StringIO(PASSWORD + "\n"))
    assert main(["login", live_server.url, "-u", "itzel", "--stdin"]) == 0
    return itzel


@pytest.fixture
def folder(home: Path) -> Path:
    """A bot's folder, with what tools leave behind in it."""
    folder = home / "jaguar"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__" / "bot.pyc").write_bytes(b"junk")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("secret")
    (folder / "bot.toml").write_text('name = "Jaguar"\nruntime = "python"\nentry = "bot.py"\n')
    (folder / "bot.py").write_text("print(1)\n")
    return folder


@contextmanager
def meanwhile(act: Callable[[], object]) -> Iterator[None]:
    """Run something beside the block, as match hosts would."""

    def run() -> None:
        try:
            act()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    yield
    thread.join(30)


def test_login_keeps_a_token_that_only_its_owner_reads(signed_in: User, home: Path) -> None:
    file = home / "config" / "aztlan" / "arena.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text())["token"].startswith("aztlan_")
    assert sorted(ApiToken.objects.get().scopes) == ["bots", "matches", "private"]
    assert PASSWORD not in file.read_text()


def test_a_wrong_password_is_said(
    live_server: LiveServer, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_person("itzel")
    monkeypatch.setattr("sys.stdin", io.StringIO("wrong\n"))
    assert main(["login", live_server.url, "-u", "itzel", "--stdin"]) == 2
    assert "do not belong together" in capsys.readouterr().err
    assert not (home / "config").exists()


def test_a_bot_goes_from_its_folder_to_active(
    signed_in: User, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["upload", str(folder), "--create", "Jaguar"]) == 0
    assert "jaguar version 1 is checked" in capsys.readouterr().out
    version = Version.objects.get()
    log = version.events.get(status="checked").log
    assert "bot.py" in log
    assert "pyc" not in log
    assert ".git" not in log
    with meanwhile(lambda: pass_validation(version)):
        assert main(["status", "jaguar", "--watch"]) == 0
    shown = capsys.readouterr().out
    places = [shown.index(status) for status in ("received", "checked", "built", "validated", "active")]
    assert places == sorted(places)
    assert main(["logs", "jaguar"]) == 0
    assert "a secret build log" in capsys.readouterr().out


def test_upload_waits_for_the_verdict(
    signed_in: User, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = services.create_bot(signed_in, "jaguar", "Jaguar")

    def reject() -> None:
        while not Version.objects.filter(bot=bot).exists():
            connection.close()
        services.set_status(
            Version.objects.get().pk, Status.REJECTED, "It \x1b[31mdid not build.", code="build-failed"
        )

    with meanwhile(reject):
        assert main(["upload", str(folder), "--watch"]) == 1
    shown = capsys.readouterr().out
    assert "rejected" in shown
    assert "\x1b" not in shown
    assert "(build-failed)" in shown


def test_a_hostile_archive_is_rejected_with_its_reason(
    signed_in: User, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    services.create_bot(signed_in, "jaguar", "Jaguar")
    (home / "jaguar.zip").write_bytes(b"no zip")
    assert main(["upload", str(home / "jaguar.zip")]) == 1
    assert "This is no zip archive" in capsys.readouterr().out


def test_an_unknown_bot_is_explained(
    signed_in: User, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["upload", str(folder)]) == 2
    assert "create it with --create NAME" in capsys.readouterr().err


def test_a_challenge_is_asked_for_watched_and_listed(
    signed_in: User, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_active(signed_in, "jaguar")
    make_active(make_person("mateo"), "quetzal")
    Bot.objects.filter(slug="quetzal").update(name="Que\x1b[2Jtzal")

    def play() -> None:
        while (match := Match.objects.filter(state="queued").first()) is None:
            connection.close()
        finish(match)

    with meanwhile(play):
        assert main(["challenge", "jaguar", "quetzal", "--watch"]) == 0
    shown = capsys.readouterr().out
    assert "finished" in shown
    assert "\x1b" not in shown
    match = Match.objects.get()
    SeatLog.objects.filter(seat__seat=0).update(output="thinking\n", notes={"12": "a", "3": "b"})
    assert main(["matches", "--bot", "jaguar", "-n", "5"]) == 0
    assert match.public_id in capsys.readouterr().out
    assert main(["matches", "--json", "--state", "finished"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == match.public_id
    assert main(["logs", "--match", match.public_id]) == 0
    shown = capsys.readouterr().out
    assert "thinking" in shown
    assert shown.index("step 3") < shown.index("step 12")


def test_a_quota_that_is_used_up_is_explained(
    signed_in: User, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_active(signed_in, "jaguar")
    make_active(make_person("mateo"), "quetzal")
    monkeypatch.setattr("arena.challenges.services.MATCHES_A_DAY", 1)
    assert main(["challenge", "jaguar", "quetzal"]) == 0
    assert main(["challenge", "jaguar", "quetzal"]) == 2
    assert "matches a day" in capsys.readouterr().err
    assert main(["logs", "--match", Match.objects.get().public_id]) == 2
    assert "it is not over yet" in capsys.readouterr().err


def test_lists_go_on_over_their_pages(signed_in: User, live_server: LiveServer) -> None:
    for number in range(5):
        services.create_bot(signed_in, f"bot-{number}", f"Bot {number}")
    slugs = [bot["slug"] for bot in Arena(live_server.url).every("bots", page_size=2)]
    assert slugs == [f"bot-{number}" for number in (4, 3, 2, 1, 0)]


def test_what_has_not_changed_is_not_sent_again(signed_in: User, live_server: LiveServer) -> None:
    services.create_bot(signed_in, "jaguar", "Jaguar")
    arena = Arena(live_server.url)
    first = arena.get("bots/jaguar")
    assert arena.get("bots/jaguar") is first
    Bot.objects.update(description="new")
    assert arena.get("bots/jaguar")["description"] == "new"


def test_a_ladder_is_waited_for_and_shown(
    signed_in: User, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    season = make_season(2)
    bots = [make_active(signed_in, "jaguar"), make_active(make_person("mateo"), "quetzal")]
    match = ask_for([bot.active_version for bot in bots if bot.active_version], season)
    Bot.objects.filter(slug="quetzal").update(name="Que\x1b[2Jtzal")

    def play() -> None:
        finish(match)
        settle_match(match.pk)

    with meanwhile(play):
        assert main(["ladder", season.ladder.slug, "--wait-for", "jaguar"]) == 0
    _, *rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == ["1", "2"]
    assert ["(jaguar, by itzel)" in row for row in rows] == [row.endswith("<") for row in rows]
    assert "\x1b" not in "".join(rows)
    assert main(["ladder"]) == 0
    assert season.ladder.slug in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["status", "nobody"], "There is no such bot."),
        (["status", "my bot"], "There is nothing at this address"),
        (["status", "jaguar", "7"], "There is no such version."),
        (["ladder", "nowhere"], "There is no such ladder."),
        (["logs", "--match", "nothing"], "There is no such match."),
        (["upload", "nowhere"], "there is no file or folder nowhere"),
        (["upload", "{folder}", "--create", "Jaguar"], "if the bot is yours, leave out --create"),
        (["upload", "{folder}", "--bot", "quetzal"], "under another address, with --bot ADDRESS"),
        (["challenge", "jaguar", "nobody"], "opponents.0: There is no bot “nobody” that can play."),
    ],
)
def test_what_is_not_there_or_not_yours_is_said(
    arguments: list[str],
    sentence: str,
    signed_in: User,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make_active(signed_in, "jaguar")
    make_active(make_person("mateo"), "quetzal")
    capsys.readouterr()
    assert main([one.format(folder=folder) for one in arguments]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"aztlan {arguments[0]}: ")
    assert sentence in told
    assert "fields" not in told
    assert told.count("\n") == 1


def test_a_token_that_is_not_known_any_more_leads_to_a_new_one(
    signed_in: User, folder: Path, live_server: LiveServer, capsys: pytest.CaptureFixture[str]
) -> None:
    ApiToken.objects.all().delete()
    assert main(["upload", str(folder)]) == 2
    assert (
        f"unknown or revoked: make a new one. Run `aztlan login {live_server.url}`."
        in capsys.readouterr().err
    )


def test_no_matches_are_said_to_be_none(signed_in: User, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matches", "--bot", "nobody"]) == 0
    assert capsys.readouterr().err == "There are no such matches.\n"
    with pytest.raises(SystemExit):
        main(["matches", "-n", "-3"])
    assert "no whole number" in capsys.readouterr().err


def test_nobody_at_the_keyboard_is_no_accident(
    live_server: LiveServer, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["login", live_server.url]) == 2
    assert "name it with -u" in capsys.readouterr().err
    for arguments in (["--stdin"], []):
        with monkeypatch.context() as patch:
            patch.setattr("getpass.getpass", raise_end_of_file)
            assert main(["login", live_server.url, "-u", "itzel", *arguments]) == 2
        assert "no password was given; without a terminal, use --stdin" in capsys.readouterr().err


def raise_end_of_file(_prompt: str) -> str:
    """What asking for a password does where nobody can answer."""
    raise EOFError


@pytest.mark.parametrize("kept", ["{bad", "[]", "7", "null"])
def test_an_account_file_that_makes_no_sense_leads_to_a_new_one(
    kept: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = home / "config" / "aztlan" / "arena.json"
    file.parent.mkdir(parents=True)
    file.write_text(kept)
    assert main(["matches"]) == 2
    assert "run `aztlan login` again" in capsys.readouterr().err


def test_a_site_that_is_no_arena_is_told(
    live_server: LiveServer, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AZTLAN_URL", f"{live_server.url}/nowhere")
    assert main(["matches"]) == 2
    assert "does not answer as an arena does, but 404" in capsys.readouterr().err


def test_who_is_not_signed_in_is_told_how(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["challenge", "jaguar", "quetzal"]) == 2
    assert "run `aztlan login" in capsys.readouterr().err


def test_a_server_that_is_away_is_told(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AZTLAN_URL", "http://127.0.0.1:9")
    assert main(["matches"]) == 2
    assert (
        "does not answer (Connection refused); `aztlan login URL` chooses another" in capsys.readouterr().err
    )


def test_a_token_is_shown_to_no_other_site(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remote_account.remember("https://arena.example.org", "aztlan_secret")
    assert remote_account.known_arena().token == "aztlan_secret"
    monkeypatch.setenv("AZTLAN_URL", "https://evil.example.org")
    assert remote_account.known_arena().token == ""
    with pytest.raises(SdkError, match="another site"):
        Arena("https://arena.example.org", "aztlan_secret").request("https://arena.example.org.evil/x")


@pytest.mark.parametrize(
    "url",
    [
        "http://arena.example.org",
        "ftp://localhost",
        "arena",
        "file:///etc/passwd",
        "",
        "http://[::1",
        "http://localhost:99999",
        "http://localhost:0",
    ],
)
def test_a_password_goes_over_plain_http_only_on_this_machine(url: str) -> None:
    with pytest.raises(SdkError):
        remote_account.check_url(url)
    assert remote_account.check_url("http://127.0.0.1:8000/") == "http://127.0.0.1:8000"


def test_a_file_that_is_too_large_is_not_even_sent(
    signed_in: User, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    services.create_bot(signed_in, "jaguar", "Jaguar")
    with (home / "jaguar.zip").open("wb") as file:
        file.truncate(20 * 1024 * 1024 + 1)
    assert main(["upload", str(home / "jaguar.zip")]) == 2
    assert "has 20971521 bytes; 20 MiB are allowed" in capsys.readouterr().err
    assert not Version.objects.exists()


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        ('name = "Jaguar"\nruntime = "bash"\nentry = "bot.py"\n', "bot.toml asks for the runtime 'bash'"),
        ('name = "Jaguar"\nruntime = "python"\nentry = "main.py"\n', "names 'main.py' as entry"),
        ('name = "Jaguar', "bot.toml cannot be read"),
    ],
)
def test_a_manifest_that_will_not_do_is_explained(
    signed_in: User, folder: Path, capsys: pytest.CaptureFixture[str], manifest: str, said: str
) -> None:
    (folder / "bot.toml").write_text(manifest)
    assert main(["upload", str(folder), "--create", "Jaguar"]) == 1
    assert said in capsys.readouterr().out


def test_a_watch_outlasts_a_busy_arena(
    signed_in: User, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    version = make_active(signed_in, "jaguar").active_version
    assert version
    monkeypatch.setitem(limits.LIMITS, "api", Limit(1, 1, limits.LIMITS["api"].reason))
    assert main(["status", "jaguar", "--watch"]) == 0  # which asks twice
    assert "jaguar version 1 is active" in capsys.readouterr().out


def test_a_link_in_the_folder_is_not_followed(
    signed_in: User, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "passwords").symlink_to("/etc/passwd")
    assert main(["upload", str(folder)]) == 2
    assert "is a link" in capsys.readouterr().err


def test_a_text_from_elsewhere_moves_no_cursor() -> None:
    assert plain("a\x1b[2J\u202eb\r\n\tc") == "a\ufffd[2J\ufffdb\ufffd\n\tc"
