"""What the commands do when an arena refuses the token or breaks off its answer."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from aztlan.cli import main

Serve = Callable[[int, bytes, int], None]
EXPIRED = b'{"code": "not_authenticated", "message": "This token is unknown or revoked."}'


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """An arena that gives every request the same answer, perhaps with a false length."""
    answer: list[tuple[int, bytes, int]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body, length = answer[0]
            self.send_response(status)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  as the class has it
            """Print nothing: the tests read stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("AZTLAN_URL", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("AZTLAN_TOKEN", "aztlan_old")
    yield lambda *given: answer.append(given)
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("command", [["matches"], ["logs", "jaguar"], ["status", "jaguar"]])
def test_a_token_that_has_expired_leads_to_login(
    command: list[str], serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    serve(401, EXPIRED, len(EXPIRED))
    assert main(command) == 2
    printed, told = capsys.readouterr()
    assert printed == ""
    assert told.startswith(
        f"aztlan {command[0]}: This token is unknown or revoked. Run `aztlan login http://"
    )
    assert told.count("\n") == 1


@pytest.mark.parametrize("body", [b"", b'{"record": {"acti', b'{"record": null}'])
def test_half_a_download_is_one_sentence_and_overwrites_nothing(
    body: bytes, serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "game.html"
    kept.write_text("an earlier game")
    serve(200, body, 5000)
    assert main(["view", "abc123", "--html", str(kept)]) == 2
    told = capsys.readouterr().err
    assert "broke off in the middle of its answer; try again" in told
    assert told.count("\n") == 1
    assert kept.read_text() == "an earlier game"
