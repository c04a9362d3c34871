"""The commands of an author on a system without Linux's own parts: no fork, unix sockets, groups or locks.

There is neither Windows nor macOS here. So a Python without those parts runs the commands: what they need is
taken from it once the standard library has what it needs of them on Linux.
"""

import asyncio
import os
import subprocess
import sys
import textwrap

import pytest

from workers.sandbox.pipe_reader import ThreadedPipeReader

BARE = """
import asyncio, concurrent.futures.process, getpass, http.server, multiprocessing.spawn, os, pathlib
import shutil, signal, socket, subprocess, sys, tempfile, webbrowser
import grpc, psutil

family, pair = socket.AF_UNIX, socket.socketpair
del socket.AF_UNIX
socket.socketpair = lambda *given: pair(*(given or (family,)))  # asyncio's own, which elsewhere are ports
for name in ("fcntl", "resource", "pwd", "grp", "uvloop", "termios"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "setpgid", "killpg", "geteuid", "getuid", "sched_getaffinity", "O_NOFOLLOW",
             "memfd_create", "pidfd_open"):
    delattr(os, name)

from aztlan.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """Run a command there; return what it printed."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, code=0):
        command = [sys.executable, "-c", textwrap.dedent(BARE), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout

    return run


def test_an_author_gets_along_without_what_only_linux_has(bare, tmp_path):
    bare("new", "mine")
    assert "2 games" in bare("play", "mine", "random", "-n", "2", "-j", "1", "--records", "games")
    assert "ok: " in bare("verify", "games/game-0001.json")
    bare("view", "games/game-0001.json", "--html", "game.html")
    assert (tmp_path / "game.html").stat().st_size > 100_000
    told = bare("check", "mine", "-n", "1", "-j", "1")
    assert "mine is fit for the arena as far as this machine can tell" in told
    assert "Sandboxes need Linux" in told


def test_an_author_finds_out_how_good_a_bot_is_there_too(bare):
    bare("new", "mine")
    assert "undecided after 2 sets" in bare("test", "random", "mine", "--sets", "2", "-j", "1", code=3)
    assert "whether it stands above random needs more --sets" in bare(
        "climb", "mine", "--sets", "2", "-j", "1"
    )


def test_a_bot_that_fails_is_told_so(bare, tmp_path):
    (tmp_path / "bad.py").write_text(
        "from aztlan import Bot, run\n"
        "class Bad(Bot):\n"
        "    def choose(self, observation, legal):\n"
        "        return 10**9\n"
        "run(Bad())\n"
    )
    assert "failed" in bare("play", "bad.py", "random", "-n", "1", "-j", "1", code=1)


@pytest.mark.parametrize("loopback", ["0", "1"])
def test_a_game_is_the_same_over_ports_and_over_unix_sockets(bot_file, capsys, monkeypatch, loopback):
    from aztlan.cli import main

    monkeypatch.setenv("AZTLAN_LOOPBACK", loopback)
    bot = bot_file("print(os.environ['AZTLAN_SOCKET'], file=sys.stderr); return legal[0]")
    assert main(["play", str(bot), "random", "-n", "1", "-j", "1", "--seed", "same", "--show-output"]) == 0
    printed = capsys.readouterr()
    assert ("127.0.0.1:" in printed.err) == (loopback == "1")
    assert "1 game of 2 seats, seed same" in printed.out


async def test_a_thread_reads_what_no_event_loop_can_watch():
    ours, theirs = os.pipe()
    excess = asyncio.Event()
    drain = ThreadedPipeReader(ours, keep=4, allowed=8, on_excess=excess.set)
    os.write(theirs, b"0123456")
    os.write(theirs, b"789")
    await excess.wait()
    os.close(theirs)
    drain.close()
    assert drain.tail() == b"6789"
    assert drain.total == 10
