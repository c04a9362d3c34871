"""The distribution `aztlan`: what is in its wheels, and that they stand on their own."""

import ast
import email
import hashlib
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMON_NAMES = {"engine", "proto", "workers", "contests", "arena"}
IMPORT_ALL = """
import importlib, pkgutil, sys
import aztlan
for module in pkgutil.walk_packages(aztlan.__path__, "aztlan."):
    if not module.name.endswith("__main__") and ".starters" not in module.name:
        importlib.import_module(module.name)
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def build(folder):
    command = [sys.executable, ROOT / "sdk" / "distribution", "--pure", "--to", folder]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run_unpacked(unpacked, *argv, **env):
    """Run a Python that finds the wheel's own files before those of this repository."""
    env = {**os.environ, "PYTHONPATH": str(unpacked), "PYTHONSAFEPATH": "1", **env}
    return subprocess.run([sys.executable, *argv], env=env, check=True, capture_output=True, text=True).stdout


def test_it_installs_no_name_but_its_own(unpacked):
    assert {entry.name for entry in unpacked.iterdir()} == {"aztlan", "aztlan-0.1.0.dist-info"}


def test_it_has_at_most_three_direct_dependencies(unpacked):
    metadata = email.message_from_string((unpacked / "aztlan-0.1.0.dist-info/METADATA").read_text())
    direct = [line for line in metadata.get_all("Requires-Dist") if "extra ==" not in line]
    assert {re.split("[<>=]", line)[0] for line in direct} == {"grpcio", "protobuf", "psutil"}


def test_no_module_imports_a_common_name(unpacked):
    found = set()
    for file in (unpacked / "aztlan").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            found |= {(file.name, name) for name in names if name.partition(".")[0] in COMMON_NAMES}
    assert not found


def test_every_module_loads_without_what_the_arena_needs(unpacked):
    loaded = set(run_unpacked(unpacked, "-c", IMPORT_ALL).split())
    assert not loaded & (COMMON_NAMES | {"django", "celery", "kombu", "psycopg", "uvloop", "redis"})
    assert {"aztlan", "grpc"} <= loaded


def test_the_command_plays_from_the_wheel(unpacked, tmp_path):
    run_unpacked(unpacked, "-m", "aztlan.cli", "new", str(tmp_path / "mine"))
    table = run_unpacked(unpacked, "-m", "aztlan.cli", "play", str(tmp_path / "mine"), "random", "-n", "1")
    assert "mine" in table
    assert "1 game of 2 seats" in table


def test_messages_live_under_the_private_name(unpacked):
    show = "from aztlan._proto.bot.v1.bot_pb2 import Hello; print(Hello.__module__)"
    assert run_unpacked(unpacked, "-c", show).strip() == "aztlan._proto.bot.v1.bot_pb2"


def test_the_same_sources_give_the_same_bytes(wheel, tmp_path):
    again = build(tmp_path / "again")
    assert hashlib.sha256(wheel.read_bytes()).digest() == hashlib.sha256(again.read_bytes()).digest()


def test_nothing_is_built_again_while_the_sources_stay(wheel):
    before = wheel.stat().st_mtime_ns
    command = [sys.executable, ROOT / "sdk" / "distribution", "--pure", "--if-changed", "--to", wheel.parent]
    subprocess.run(command, check=True)
    assert wheel.stat().st_mtime_ns == before


def test_house_bots_use_public_names_only():
    """They are examples: a copy of one must run wherever `aztlan` is installed."""
    for file in (ROOT / "sdk/aztlan/house").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").partition(".")[0] not in COMMON_NAMES, file.name
