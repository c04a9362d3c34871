"""Proves which bots this host can play: builds one of each language, starts it, and waits for its hello.

It runs in its own process, `python -m workers.host.proof`, because the calling process forks, and a process
that forks must not have used gRPC.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from workers.host.config import offered_languages
from workers.polling import MATCH_HOST, prepare_grpc
from workers.runtimes.base import RuntimeMissingError
from workers.runtimes.contract import RUNTIME, broken_promises, python_modules
from workers.runtimes.inventory import versions_of
from workers.runtimes.registry import find_runtime
from workers.tether import tether

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workers.sandbox.base import Launch, Sandbox

PROOF_SECONDS = 180
HELLO_MS = 60_000
LOG_KEPT = 300
TROUBLE_KEPT = 1000

HELLO = '{"type": "hello", "name": "proof"}'
ESCAPED = json.dumps(HELLO)
CPP = f"#include <cstdio>\nint main() {{ std::puts({ESCAPED}); std::fflush(stdout); std::getchar(); }}\n"
GO = f'package main\n\nimport "os"\n\nfunc main() {{\n\tos.Stdout.WriteString({ESCAPED} + "\\n")\n\tos.Stdin.Read(make([]byte, 1))\n}}\n'  # noqa: E501  a program
RUST = (
    f'fn main() {{ println!("{{}}", {ESCAPED}); let _ = std::io::stdin().read_line(&mut String::new()); }}\n'
)
JAVA = (
    "class Proof {\n  public static void main(String[] none) throws Exception {\n"
    f"    System.out.println({ESCAPED});\n    System.in.read();\n  }}\n}}\n"
)
TYPESCRIPT = f"const hello: string = {ESCAPED};\nconsole.log(hello);\nprocess.stdin.resume();\n"
CARGO = '[package]\nname = "proof"\nversion = "1.0.0"\nedition = "2021"\n'


IMPORTS = "".join(f"import {name}\n" for name in sorted(python_modules())) + "import runpy\n"
IMPORTS += 'runpy.run_path("/bot/bot.py", run_name="__main__")\n'
"""Imports all that the contract promises, then plays."""


class Sample(NamedTuple):
    """A bot that says hello: one of the SDK's starters, or a few lines of its own."""

    runtime: str
    entry: str
    files: Mapping[str, str] = {}
    starter: str = ""


SAMPLES = {
    "Python": Sample("python", "proof.py", {"proof.py": IMPORTS}, starter="python"),
    "JavaScript": Sample("node", "bot.js", starter="javascript"),
    "TypeScript": Sample("jsonlines", "bot.ts", {"bot.ts": TYPESCRIPT}),
    "C++": Sample("jsonlines", "bot.cpp", {"bot.cpp": CPP}),
    "Go": Sample("jsonlines", "bot.go", {"bot.go": GO, "go.mod": "module proof\n"}),
    "Rust": Sample("jsonlines", "Cargo.toml", {"Cargo.toml": CARGO, "src/main.rs": RUST}),
    "Java": Sample("jsonlines", "Proof.java", {"Proof.java": JAVA}),
}


class Proof(NamedTuple):
    """Whether bots of a language can play here; if not, why, and whether only a tool is missing."""

    works: bool
    trouble: str = ""
    missing: bool = False
    versions: Mapping[str, str] = {}
    """What bots get here, by component of the contract."""

    def to_data(self) -> dict[str, Any]:
        return {
            "works": self.works,
            "missing": self.missing,
            "trouble": self.trouble[:TROUBLE_KEPT],
            "runtime": RUNTIME,
            "versions": dict(self.versions),
        }


def find_missing() -> dict[str, Proof]:
    """Return the languages that this host does not offer or has no tools for; a quick check."""
    offered = offered_languages()
    sentence = "This host does not play these bots: MATCH_HOST_LANGUAGES leaves them out."
    found = {
        language: Proof(False, sentence, missing=True) for language in SAMPLES if language not in offered
    }
    for language in offered:
        sample = SAMPLES[language]
        try:
            find_runtime(sample.runtime).build_command(sample.entry)
        except RuntimeMissingError as error:
            found[language] = Proof(False, str(error), missing=True)
    return found


def prove_apart(languages: list[str]) -> dict[str, Proof]:
    """Have another process prove these languages. Its failure is an answer too."""
    if not languages:
        return {}
    command = [sys.executable, "-m", "workers.host.proof", str(os.getpid()), *languages]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=PROOF_SECONDS, check=True)
        told = json.loads(done.stdout)
        return {language: Proof(*told[language]) for language in languages}
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError) as error:
        return dict.fromkeys(languages, Proof(False, f"The proof itself failed: {error}"))


async def prove_all(sandbox: Sandbox, languages: list[str]) -> dict[str, Proof]:
    """Prove languages concurrently, since each one mostly waits."""
    proofs = await asyncio.gather(*(prove_language(sandbox, language) for language in languages))
    return dict(zip(languages, proofs, strict=True))


async def prove_language(sandbox: Sandbox, language: str) -> Proof:
    """Prove that this host keeps the contract for a language: the promised versions, and a bot that runs."""
    versions = versions_of(language)
    if broken := broken_promises(language, versions):
        return Proof(False, " ".join(broken), missing=True, versions=versions)
    return (await prove(sandbox, SAMPLES[language]))._replace(versions=versions)


async def prove(sandbox: Sandbox, sample: Sample) -> Proof:
    """Build a bot, start it and wait for its hello."""
    from workers.runtimes.build import build_bot
    from workers.sandbox.base import Launch, SandboxError

    try:
        with sample_folder(sample) as folder:
            build = await build_bot(sandbox, sample.runtime, folder / "bot", sample.entry)
            if not build.ok:
                return Proof(False, f"A bot did not build: {build.reason}. {tail(build.log)}".strip())
            artifact = None
            if build.artifact:
                artifact = folder / "built"
                build.save(artifact)
            launch = Launch(sample.runtime, folder / "bot", sample.entry, artifact=artifact, label="a proof")
            return await hear_hello(sandbox, launch, folder / "seat.sock")
    except RuntimeMissingError as error:
        return Proof(False, str(error), missing=True)
    except (SandboxError, OSError, RuntimeError) as error:  # gRPC's own complaints are the latter
        return Proof(False, f"A bot could not be started: {error}")


async def hear_hello(sandbox: Sandbox, launch: Launch, socket: Path) -> Proof:
    from proto.messages import Clocks
    from workers.host.work import launcher
    from workers.match.clock import StallMeter
    from workers.match.seat import Seat

    seat = Seat(socket, Clocks(HELLO_MS, 0, 0, 0), StallMeter(), lambda: 0)
    try:
        await seat.open(launcher(sandbox, launch, None))
        await seat.hello()
        fault = seat.fault
    finally:
        await seat.close()
    if fault is None:
        return Proof(True)
    return Proof(
        False, f"A bot did not say hello: {fault.reason}. {tail(seat.report.output.encode())}".strip()
    )


@contextmanager
def sample_folder(sample: Sample) -> Iterator[Path]:
    """A folder that sandboxes can reach, with the bot's files in `bot`."""
    with tempfile.TemporaryDirectory(prefix="aztlan-proof-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        if sample.starter:
            shutil.copytree(package_folder("aztlan") / "starters" / sample.starter, folder / "bot")
            shutil.copy(package_folder("proto") / "bot/v1/bot.proto", folder / "bot")
        for file, text in sample.files.items():
            (folder / "bot" / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / "bot" / file).write_text(text)
        yield folder


def package_folder(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(f"The package {name} is not installed here.")
    return Path(next(iter(spec.submodule_search_locations)))


def tail(log: bytes) -> str:
    """Return the end of a log, where the reason is, on one line."""
    return " ".join(log.decode(errors="replace").replace("\0", " ").split())[-LOG_KEPT:]


async def main(languages: list[str]) -> None:
    from workers.sandbox.choose import open_sandbox, settings_from_environment

    prepare_grpc(MATCH_HOST)
    sandbox = await open_sandbox(settings_from_environment())
    try:
        print(json.dumps(await prove_all(sandbox, languages)))
    finally:
        await sandbox.close()


if __name__ == "__main__":
    tether(int(sys.argv[1]), signal.SIGKILL)
    asyncio.run(main(sys.argv[2:]))
