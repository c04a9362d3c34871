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

from arena.accounts.models import ApiToken, User
from arena.bots import services
from arena.bots.models import Bot, Status, Version
from arena.ladders.results import settle_match
from arena.matches.models import Match, SeatLog
from aztlan.cli import main
from aztlan.remote import Arena
from tests.arena.cast import ask_for, finish, make_season
from tests.arena.people import PASSWORD, make_active, make_person, make_team, pass_validation

pytestmark = pytest.mark.django_db(transaction=True)


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
    assert "username or the password is wrong" in capsys.readouterr().err
    assert not (home / "config").exists()


def test_a_bot_goes_from_its_folder_to_active(
    signed_in: User, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "build").mkdir()
    (folder / "build" / "weights.txt").write_text("1 2 3")
    assert main(["upload", str(folder), "--create", "Jaguar"]) == 0
    told = capsys.readouterr()
    assert "jaguar version 1 is checked" in told.out
    assert "left out: .git/, __pycache__/\n" in told.err
    version = Version.objects.get()
    log = version.events.get(status="checked").log
    assert "bot.py" in log
    assert "build/weights.txt" in log
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
    assert "matches per day" in capsys.readouterr().err
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
    printed, told = capsys.readouterr()
    _, *rows = printed.splitlines()
    assert all(line.startswith("waiting: jaguar version 1 is active") for line in told.splitlines())
    assert [row.split()[0] for row in rows] == ["1", "2"]
    assert ["(jaguar, by itzel)" in row for row in rows] == [row.endswith("<") for row in rows]
    assert "\x1b" not in "".join(rows)
    assert main(["ladder"]) == 0
    assert season.ladder.slug in capsys.readouterr().out


def test_the_replay_that_the_api_gives_is_replayed_and_verified(
    signed_in: User, home: Path, live_server: LiveServer, capsys: pytest.CaptureFixture[str]
) -> None:
    bots = [make_active(signed_in, "jaguar"), make_active(make_person("mateo"), "quetzal")]
    match = ask_for([bot.active_version for bot in bots if bot.active_version], make_season(2))
    finish(match)
    answer = Arena(live_server.url).get(f"matches/{match.public_id}/replay")
    file = home / "replay.json"
    for text in (json.dumps(answer), json.dumps(answer, indent=2), "\n" + json.dumps(answer["record"])):
        file.write_text(text)
        assert main(["replay", str(file), "--to", "2"]) == 0
        assert capsys.readouterr().out.startswith("english rules, board aztlan")
        assert main(["verify", str(file)]) == 0
        assert ": ok: " in capsys.readouterr().out


def test_a_match_of_the_arena_is_written_as_a_page_of_its_own(
    signed_in: User, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bots = [make_active(signed_in, "jaguar"), make_active(make_person("mateo"), "quetzal")]
    match = ask_for([bot.active_version for bot in bots if bot.active_version])
    page = home / "match.html"
    assert main(["view", match.public_id, "--html", str(page)]) == 2
    assert "once the match is over" in capsys.readouterr().err
    assert not page.exists()
    finish(match)
    assert main(["view", match.public_id, "--html", str(page)]) == 0
    assert f"{page} shows the game" in capsys.readouterr().out
    assert '<div id="viewer"' in page.read_text()


def test_a_member_uploads_a_bot_of_the_team(
    signed_in: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_team("knights", make_person("olin"), signed_in)
    (tmp_path / "bot.py").write_text("print(1)\n")
    arguments = ["upload", str(tmp_path / "bot.py"), "--bot", "eagle"]
    assert main([*arguments, "--team", "knights"]) == 2
    assert "--team needs --create" in capsys.readouterr().err
    assert main([*arguments, "--create", "Eagle", "--team", "owls"]) == 2
    assert "You are in no team of this name." in capsys.readouterr().err
    assert main([*arguments, "--create", "Eagle", "--team", "knights"]) == 0
    assert Bot.objects.get(slug="eagle").owner.username == "knights"
    capsys.readouterr()
    assert main(["teams"]) == 0
    assert capsys.readouterr().out == f"knights: olin (owner), {signed_in.username} (member)\n"
    for listing in (["bots"], ["bots", "--team", "knights"]):
        assert main(listing) == 0
        assert "Eagle (by knights): no active version" in capsys.readouterr().out
    assert main(["bots", "--team", "nobody"]) == 0
    assert "No bots found." in capsys.readouterr().err
