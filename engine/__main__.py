"""`python -m engine`: play a game on the terminal, verify a record, say which form of the engine runs."""

import argparse
import hashlib
import os
import platform
import random
import sys
from pathlib import Path
from typing import NoReturn

from engine import FORM, Recorder, State, load_board, load_record, ruleset, verify
from engine.actions import to_text
from engine.ascii import summary
from engine.errors import EngineError
from engine.events import events
from engine.form import build_problem
from engine.kernel import native_form
from engine.narrate import tell
from engine.rulesets import CHOICES, EDITIONS

BOTS = ("random",)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"engine: {message} (see `python -m engine --help`)\n")


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the result is the exit code: 1 for a bad record, 2 for bad arguments."""
    parser = _Parser(prog="python -m engine", description="Aztlán on the command line.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="play|verify|info")
    _play_arguments(commands.add_parser("play", help="play a game of random bots and print it"))
    check = commands.add_parser("verify", help="replay a record and check every step")
    check.add_argument("file", type=Path, help="a record, JSON or compact")
    check.add_argument("--board", help="the path of the board, where it did not come with the engine")
    commands.add_parser("info", help="which form of the engine runs, compiled or pure")
    chosen = parser.parse_args(arguments)
    try:
        return {"play": _play, "verify": _verify, "info": _info}[chosen.command](chosen)
    except EngineError as error:
        print(f"engine: {error}", file=sys.stderr)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        print(f"engine: {error.filename}: {error.strerror}", file=sys.stderr)
    return 2


def _play_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seats", type=int, default=4, choices=(2, 3, 4), help="how many play (4)")
    parser.add_argument("--seed", default="aztlan", help="64 hexadecimal digits, or any text to hash")
    parser.add_argument("--edition", default="english", choices=EDITIONS, help="whose rulebook (english)")
    parser.add_argument(
        "--option", action="append", default=[], type=_option, metavar="NAME=VALUE", help="change one rule"
    )
    parser.add_argument("--bots", default="random", choices=BOTS, help="who plays (random)")
    parser.add_argument("--board", default="aztlan", help="a board's id, or the path of its .json file")
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep the record: .json, or compact")


def _option(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    if name not in CHOICES or value not in CHOICES[name]:
        known = ", ".join(f"{one}={'|'.join(values)}" for one, values in CHOICES.items())
        raise argparse.ArgumentTypeError(f"{text!r} is not one of {known}")
    return name, value


def _play(chosen: argparse.Namespace) -> int:
    seed = _seed(chosen.seed)
    rules = ruleset(chosen.edition, **dict(chosen.option))
    state = State.new(chosen.seats, seed, rules, load_board(chosen.board))
    recorder = Recorder(state, (chosen.bots,) * chosen.seats)
    rng = random.Random(seed)
    print(f"{chosen.seats} seats, rules {state.rules.name}, board {state.board.id}, seed {seed.hex()}")
    state.log_events()
    phase = -1
    while True:
        phase = _tell_news(state, phase)
        if state.is_over():
            break
        action = rng.choice(state.legal_actions())
        if state.phase and to_text(action, state.board) == "pass":
            print(f"  seat {state.to_act()} passes")
        recorder.apply(action)
    if chosen.record:
        _write(chosen.record, recorder)
    return 0


def _tell_news(state: State, phase: int) -> int:
    raw, state.log = state.log or [], []
    for event in events(raw):
        line = tell(event, state.board)
        if line:
            print(f"  {line}")
    if state.phase != phase:
        print(f"\n{summary(state)}\n")
    return state.phase


def _seed(text: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    return seed if len(seed) == 32 else hashlib.sha256(text.encode(errors="surrogateescape")).digest()


def _write(path: Path, recorder: Recorder) -> None:
    record = recorder.record()
    if path.suffix == ".json":
        path.write_text(record.to_json(), "utf-8")
    else:
        path.write_bytes(record.to_bytes())
    print(f"record written to {path}")


def _verify(chosen: argparse.Namespace) -> int:
    data = chosen.file.read_bytes()
    board = load_board(chosen.board) if chosen.board else None
    try:
        record = load_record(data)
        state = verify(record, board)
    except EngineError as error:
        print(f"engine: {chosen.file}: {error}", file=sys.stderr)
        return 1
    print(f"{chosen.file}: every one of its {len(record.actions)} decisions replays")
    print(f"rules {record.ruleset.name}, board {record.board_id}, seed {record.seed.hex()}")
    places = state.placements()
    for seat in sorted(range(state.seats), key=places.__getitem__):
        print(f"  {places[seat]}. seat {seat} {record.seats[seat]!a} with {state.score[seat]} points")
    return 0


def _info(_: argparse.Namespace) -> int:
    print(f"the engine runs {FORM} on Python {platform.python_version()}")
    if FORM == "pure":
        reason = build_problem() or "AZTLAN_ENGINE=pure asks for that"
        print(f"it is not compiled, which makes it several times slower: {reason}")
        print("`make install` compiles it where there is a C compiler")
    print(f"its kernel for many games at once is {'native' if native_form() else 'the engine itself'}")
    print(f"editions: {', '.join(EDITIONS)}")
    return 0


if __name__ == "__main__":
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)
