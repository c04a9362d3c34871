"""Each runtime builds and runs bots inside sandboxes, where the host has its tools."""

import shutil
from pathlib import Path

import pytest

from workers.archives.archive_limits import BUILT
from workers.runtimes.base import RuntimeMissingError
from workers.runtimes.build import BUILD_LIMITS, build_bot
from workers.runtimes.registry import find_runtime
from workers.sandbox.base import Exit, Launch, ResourceLimits
from workers.sandbox.launcher import SandboxLauncher

CPP = '#include <cstdio>\n#include "greeting.h"\nint main() { std::puts(GREETING); return 3; }\n'
GO = 'package main\nimport "fmt"\nfunc main() { fmt.Println("hello from go") }\n'
CARGO = '[package]\nname = "hello"\nversion = "0.1.0"\nedition = "2021"\n'
RUST = 'fn main() { println!("hello from rust"); }\n'


def needs(tool: str) -> pytest.MarkDecorator:
    found = shutil.which(tool, path="/usr/bin:/usr/local/bin:/usr/local/go/bin")
    return pytest.mark.skipif(not found, reason=f"{tool} is not installed where sandboxes can reach it")


async def build_and_run(sandbox: SandboxLauncher, runtime: str, folder: Path, entry: str) -> Exit:
    build = await build_bot(sandbox, runtime, folder, entry)
    assert build.ok, build
    artifact = None
    if build.artifact:
        artifact = folder / "built"
        build.save(artifact)
    launch = Launch(runtime, folder, entry, artifact=artifact, limits=ResourceLimits(wall_seconds=30))
    return await (await sandbox.start(launch)).wait()


async def test_a_python_bot_is_checked_and_sees_only_its_kit(cold: SandboxLauncher, bot_folder: Path) -> None:
    (bot_folder / "helper.py").write_text("WORD = 'helped'\n")
    (bot_folder / "main.py").write_text(
        "import importlib.util, helper, engine, grpc, proto.codec\n"
        "print(helper.WORD, [name for name in ('django', 'celery', 'pytest', 'workers', 'arena') "
        "if importlib.util.find_spec(name)])\n"
        "print(all(open(module.__cached__) for module in (engine, grpc, proto.codec)))\n"
    )
    exit_ = await build_and_run(cold, "python", bot_folder, "main.py")
    assert exit_.output == b"helped []\nTrue\n"


async def test_a_failed_builds_log_shows_every_mistake(cold: SandboxLauncher, bot_folder: Path) -> None:
    (bot_folder / "main.py").write_text("import helper\n")
    (bot_folder / "helper.py").write_text("def f(:\n")
    (bot_folder / "other.py").write_text("x = = 1\n")
    build = await build_bot(cold, "python", bot_folder, "main.py")
    assert not build.ok
    assert b"/bot/helper.py: " in build.log
    assert b"/bot/other.py: " in build.log


async def test_a_missing_entry_fails_the_build(cold: SandboxLauncher, bot_folder: Path) -> None:
    build = await build_bot(cold, "python", bot_folder, "main.py")
    assert not build.ok
    assert b"/bot/main.py: there is no such file" in build.log


@needs("node")
async def test_a_node_bot_is_checked_and_run(
    cold: SandboxLauncher, bot_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bot_folder / "shared").mkdir()
    monkeypatch.setenv("ARENA_NODE_MODULES", str(bot_folder / "shared"))
    (bot_folder / "bot.js").write_text(
        "console.log('hello from node', process.pid, require('os').hostname())\n"
    )
    exit_ = await build_and_run(cold, "node", bot_folder, "bot.js")
    assert exit_.output == b"hello from node 1 bot\n"
    (bot_folder / "bot.js").write_text("const = 1\n")
    build = await build_bot(cold, "node", bot_folder, "bot.js")
    assert not build.ok
    assert b"SyntaxError" in build.log


@needs("g++")
async def test_a_cpp_bot_is_compiled_inside_and_run_as_built(cold: SandboxLauncher, bot_folder: Path) -> None:
    (bot_folder / "main.cpp").write_text(CPP)
    (bot_folder / "greeting.h").write_text('#define GREETING "hello from c++"\n')
    exit_ = await build_and_run(cold, "native", bot_folder, "main.cpp")
    assert (exit_.output, exit_.code) == (b"hello from c++\n", 3)


@needs("go")
async def test_a_go_bot_is_compiled(cold: SandboxLauncher, bot_folder: Path) -> None:
    (bot_folder / "main.go").write_text(GO)
    (bot_folder / "go.mod").write_text("module hello\n")
    exit_ = await build_and_run(cold, "native", bot_folder, "main.go")
    assert exit_.output == b"hello from go\n"


@needs("cargo")
async def test_a_rust_bot_is_compiled(cold: SandboxLauncher, bot_folder: Path) -> None:
    (bot_folder / "src").mkdir()
    (bot_folder / "src/main.rs").write_text(RUST)
    (bot_folder / "Cargo.toml").write_text(CARGO)
    exit_ = await build_and_run(cold, "native", bot_folder, "Cargo.toml")
    assert exit_.output == b"hello from rust\n"


@needs("g++")
async def test_a_compilers_complaint_is_the_log(cold: SandboxLauncher, bot_folder: Path) -> None:
    (bot_folder / "main.cpp").write_text("int main() { return missing; }\n")
    build = await build_bot(cold, "native", bot_folder, "main.cpp")
    assert not build.ok
    assert b"missing" in build.log
    assert build.artifact == b""


@needs("g++")
async def test_a_build_has_limits_and_its_author_is_told(cold: SandboxLauncher, bot_folder: Path) -> None:
    (bot_folder / "main.cpp").write_text('#include "/dev/zero"\n')
    limits = ResourceLimits(
        memory=BUILD_LIMITS.memory, cpu_seconds=2, wall_seconds=20, tmp_size=BUILD_LIMITS.tmp_size
    )
    build = await build_bot(cold, "native", bot_folder, "main.cpp", limits)
    assert not build.ok
    assert any(word in build.reason for word in ("seconds", "memory", "exited with code 1"))


@needs("g++")
async def test_an_artifact_larger_than_allowed_is_no_artifact(
    cold: SandboxLauncher, bot_folder: Path
) -> None:
    (bot_folder / "main.cpp").write_text("char data[1 << 22] = {1};\nint main() { return data[0]; }\n")
    limits = ResourceLimits(
        memory=BUILD_LIMITS.memory, processes=64, file_size=2**21, tmp_size=BUILD_LIMITS.tmp_size
    )
    build = await build_bot(cold, "native", bot_folder, "main.cpp", limits)
    assert not build.ok
    assert build.artifact == b""


@needs("g++")
async def test_a_program_larger_than_the_arena_takes_is_the_authors_to_make_smaller(
    cold: SandboxLauncher, bot_folder: Path
) -> None:
    size = BUILT + 1
    (bot_folder / "main.cpp").write_text(f"char data[{size}] = {{1}};\nint main() {{ return data[0]; }}\n")
    build = await build_bot(cold, "native", bot_folder, "main.cpp")
    assert (build.ok, build.artifact) == (False, b"")
    assert build.reason == "the program that was built has 41 MiB, but only 40 MiB are allowed"


async def test_a_saved_artifact_never_follows_a_link(cold: SandboxLauncher, bot_folder: Path) -> None:
    (bot_folder / "main.py").write_text("")
    build = await build_bot(cold, "python", bot_folder, "main.py")
    link = bot_folder / "link"
    link.symlink_to(bot_folder / "target")
    with pytest.raises(FileExistsError):
        build.save(link)


def test_an_unknown_runtime_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RuntimeMissingError, match="choose one of python, node, native, jsonlines"):
        find_runtime("cobol")


async def test_a_source_that_nothing_builds_is_the_authors_mistake(
    cold: SandboxLauncher, bot_folder: Path
) -> None:
    build = await build_bot(cold, "native", bot_folder, "main.zig")
    assert not build.ok
    assert build.reason.startswith("nothing builds main.zig")


def test_a_missing_tool_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(RuntimeMissingError, match=r"g\+\+ is not installed"):
        find_runtime("native").build_command("main.cpp")
    with pytest.raises(RuntimeMissingError, match="apt-get install nodejs"):
        find_runtime("node").run_command("bot.js")


@needs("node")
def test_a_host_without_nodes_packages_runs_no_node_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot would fail on its imports, and the blame would be its own."""
    monkeypatch.setenv("ARENA_NODE_MODULES", "/nowhere/node_modules")
    with pytest.raises(RuntimeMissingError, match=r"python -m workers\.runtimes\.node"):
        find_runtime("node").run_command("bot.js")
