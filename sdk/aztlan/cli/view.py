"""`aztlan view`: look at a game in the browser, with the arena's own viewer."""

import argparse
import json
import re
import webbrowser
from pathlib import Path

from aztlan.cli.records import read_record
from aztlan.errors import SdkError
from aztlan.local.viewer import OfflineReplay, viewer_server
from aztlan.remote_account import known_arena
from engine.errors import RecordError
from engine.record import Record, load_record, verify

MATCH_ID = re.compile(r"[a-z0-9]{1,16}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("game", metavar="FILE|MATCH-ID", help="a record, or the id of a match")
    parser.add_argument("--html", type=Path, metavar="OUT", help="write one file that any browser opens")
    parser.add_argument("--port", type=port_number, default=0, help="the port to serve on (any free one)")
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address without opening a browser"
    )


def port_number(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port, a number from 0 to 65535")
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Write the file, or serve until Ctrl-C."""
    replay = OfflineReplay(find_record(options.game), Path(options.game).stem)
    if options.html:
        write(options.html, replay.single_page())
        print(f"{options.html} shows the game; open it in any browser.")
        return 0
    server = viewer_server(replay, options.port)
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    print(f"The game is at {address}; Ctrl-C ends.", flush=True)
    if not options.no_browser:
        webbrowser.open(address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        server.server_close()
    return 0


def find_record(text: str) -> Record:
    """Read a record from a file or from the arena; raise SdkError if there is none that replays."""
    try:
        if Path(text).is_file():
            record = read_record(Path(text))
        elif MATCH_ID.fullmatch(text):
            record = fetch_record(text)
        else:
            raise SdkError(f"{text} is neither a file here nor the id of a match")
        verify(record)
    except RecordError as error:
        raise SdkError(f"{text} is not a record of a game that can be shown: {error}") from None
    return record


def fetch_record(match: str) -> Record:
    """Fetch the record of a match; raise SdkError while it is not public."""
    data = known_arena().get(f"matches/{match}/replay").get("record")
    if not data:
        raise SdkError(f"the record of {match} is not open yet: try again when the match is over")
    return load_record(json.dumps(data).encode())


def write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise SdkError(f"{path} cannot be written: {error.strerror}") from None
