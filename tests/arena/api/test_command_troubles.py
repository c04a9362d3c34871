"""What the commands of `aztlan` say when something is not as it should be."""

import io
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from arena.accounts import limits
from arena.accounts.limits import Limit
from arena.accounts.models import ApiToken, User
from arena.bots import services
from arena.bots.models import Version
from aztlan import remote_account
from aztlan.cli import main
from aztlan.errors import SdkError
from aztlan.remote import Arena, plain
from tests.arena.cast import make_season
from tests.arena.people import make_active, make_person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["status", "nobody"], "There is no such bot."),
        (["status", "my bot"], "There is nothing at this address"),
        (["status", "jaguar", "7"], "There is no such version."),
        (["ladder", "nowhere"], "There is no such ladder."),
        (["ladder", "nowhere", "--wait-for", "jaguar"], "There is no such ladder."),
        (["ladder", "{ladder}", "--wait-for", "nobody"], "There is no such bot."),
        (["matches", "--bot", "nobody"], "There is no such bot."),
        (["matches", "--bot", "nobody", "--json"], "There is no such bot."),
        (["logs", "nobody"], "There is no such bot."),
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
    ladder = make_season(2).ladder.slug
    capsys.readouterr()
    assert main([one.format(folder=folder, ladder=ladder) for one in arguments]) == 2
    printed, told = capsys.readouterr()
    assert printed == ""
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
        f"unknown or revoked. Create a new one. Run `aztlan login {live_server.url}`."
        in capsys.readouterr().err
    )


def test_no_matches_are_said_to_be_none(signed_in: User, capsys: pytest.CaptureFixture[str]) -> None:
    make_active(signed_in, "jaguar")
    assert main(["matches", "--bot", "jaguar"]) == 0
    assert capsys.readouterr().err == "No matches found.\n"
    with pytest.raises(SystemExit):
        main(["matches", "-n", "-3"])
    assert "not a whole number" in capsys.readouterr().err


def test_nobody_at_the_keyboard_is_no_accident(
    live_server: LiveServer, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["login", live_server.url]) == 2
    assert "pass it with -u" in capsys.readouterr().err
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
    assert "does not look like an arena: it answered 404" in capsys.readouterr().err


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


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("rejected", "jaguar version 1 is rejected and plays no matches: It crashed at once."),
        ("none", "jaguar has no version yet"),
        ("retired", "jaguar has no active version and plays no matches"),
        ("benched", "jaguar is benched and plays no matches: It failed three times."),
        ("disqualified", "jaguar is disqualified and plays no matches: It cheats."),
    ],
)
def test_nobody_waits_for_a_bot_that_will_not_come_to_the_ladder(
    how: str, sentence: str, signed_in: User, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ladder = make_season(2).ladder.slug
    if how in ("rejected", "none"):
        bot = services.create_bot(signed_in, "jaguar", "Jaguar")
    else:
        bot = make_active(signed_in, "jaguar")
    if how == "rejected":
        assert main(["upload", str(folder)]) == 0
        services.set_status(Version.objects.get().pk, "rejected", "It crashed at once.", code="crash")
    elif how == "retired":
        assert bot.active_version
        services.retire(bot.active_version.pk)
    elif how == "benched":
        services.bench(bot.pk, "It failed three times.")
    elif how == "disqualified":
        services.disqualify(bot.pk, "It cheats.", make_person("staff"))
    capsys.readouterr()
    assert main(["ladder", ladder, "--wait-for", "jaguar"]) == 2
    printed, told = capsys.readouterr()
    assert printed == ""
    assert sentence in told


def test_a_link_in_the_folder_is_not_followed(
    signed_in: User, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "passwords").symlink_to("/etc/passwd")
    assert main(["upload", str(folder)]) == 2
    assert "is a link" in capsys.readouterr().err


def test_a_text_from_elsewhere_moves_no_cursor() -> None:
    assert plain("a\x1b[2J\u202eb\r\n\tc") == "a\ufffd[2J\ufffdb\ufffd\n\tc"
