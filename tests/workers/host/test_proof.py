"""A match host proves at its start which bots can play on it: it builds one, starts it, and hears its hello."""

import importlib.metadata
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from workers.env import EnvError
from workers.host import heartbeat, proof
from workers.host.config import HostConfig
from workers.host.heartbeat import HostHeartbeat
from workers.host.proof import SAMPLES, Proof, find_missing, prove, prove_apart
from workers.runtimes import node
from workers.runtimes.base import RuntimeMissingError
from workers.runtimes.contract import RUNTIME
from workers.runtimes.registry import LANGUAGES, RUNTIMES
from workers.sandbox.base import Enforced, SandboxSettings
from workers.sandbox.choose import open_sandbox
from workers.sandbox.launcher import SandboxLauncher

SANDBOX = Enforced("bubblewrap", "rlimits", own_uids=False, warm=True)
WORKS = Proof(True)


@pytest.fixture
async def sandbox() -> AsyncIterator[SandboxLauncher]:
    launcher = await open_sandbox(SandboxSettings(first_uid=71_300))
    yield launcher
    await launcher.close()


@pytest.fixture(autouse=True)
def offer_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MATCH_HOST_LANGUAGES", raising=False)


def test_what_a_host_is_not_to_play_it_does_not_even_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATCH_HOST_LANGUAGES", "Python")
    missing = find_missing()
    assert list(missing) == ["JavaScript", "TypeScript", "C++", "Go", "Rust", "Java"]
    assert "MATCH_HOST_LANGUAGES" in missing["Go"].trouble
    monkeypatch.setenv("MATCH_HOST_LANGUAGES", "Python,Cobol")
    with pytest.raises(EnvError, match=r"^MATCH_HOST_LANGUAGES must be some of Python, .*, not 'Cobol'"):
        find_missing()


@pytest.mark.parametrize("language", SAMPLES)
async def test_a_language_whose_tools_are_here_is_proved_by_a_bot_that_says_hello(
    language: str, sandbox: SandboxLauncher
) -> None:
    if language in (missing := find_missing()):
        pytest.skip(missing[language].trouble)
    assert await prove(sandbox, SAMPLES[language]) == WORKS


def test_every_sample_is_written_in_the_language_it_proves() -> None:
    languages = [RUNTIMES[sample.runtime].language(sample.entry) for sample in SAMPLES.values()]
    assert languages == list(SAMPLES) == list(LANGUAGES)


async def test_a_bot_that_cannot_import_what_it_needs_is_trouble_with_its_last_words(
    sandbox: SandboxLauncher,
) -> None:
    sample = proof.Sample("python", "bot.py", {"bot.py": "import aztlan.nothing_of_this_name\n"})
    found = await prove(sandbox, sample)
    assert not found.works
    assert not found.missing
    assert found.trouble.startswith("A bot did not say hello: it exited with code 1.")
    assert "No module named 'aztlan.nothing_of_this_name'" in found.trouble


async def test_a_bot_that_does_not_build_is_trouble_with_the_compilers_words(
    sandbox: SandboxLauncher,
) -> None:
    found = await prove(sandbox, proof.Sample("python", "bot.py", {"bot.py": "def (:\n"}))
    assert found.trouble.startswith("A bot did not build: it exited with code 1. /bot/bot.py:")


def test_a_proof_in_a_process_of_its_own_tells_the_same() -> None:
    found = prove_apart(["Python"])["Python"]
    assert found._replace(versions={}) == WORKS
    assert found.versions["numpy"] == importlib.metadata.version("numpy")


def test_a_host_whose_kit_lacks_grpc_does_not_offer_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was with Debian's Python: every bot would crash in its first line, and be blamed for it."""
    with tempfile.TemporaryDirectory(prefix="aztlan-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # pytest's own temporary folders are closed to sandboxes
        monkeypatch.setenv("ARENA_RUNTIMES_CACHE", str(folder))
        subprocess.run([sys.executable, "-m", "workers.runtimes.kit"], check=True, stdout=subprocess.DEVNULL)
        [grpc] = folder.glob("python-*/**/*-packages/grpc")
        shutil.rmtree(grpc)
        found = prove_apart(["Python"])["Python"]
    assert not found.works
    assert "No module named 'grpc'" in found.trouble


def test_a_proof_that_fails_itself_is_trouble_and_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SANDBOX", "chroot")
    found = prove_apart(["Python", "C++"])
    assert not any(one.works or one.missing for one in found.values())
    assert found["Python"].trouble.startswith("The proof itself failed")


def config(folder: Path) -> HostConfig:
    return HostConfig("http://127.0.0.1:1", "key", "alpha", folder, 1, 0, 5, pin=False)


def test_what_is_installed_while_a_host_runs_is_noticed_and_told_with_its_next_beat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    lacking = Proof(False, "Node is not installed on this host.", missing=True)
    monkeypatch.setattr(heartbeat, "find_missing", dict)
    monkeypatch.setattr(heartbeat, "prove_apart", lambda languages: dict.fromkeys(languages, WORKS))
    host = HostHeartbeat(
        config(tmp_path), SANDBOX, 1, {**dict.fromkeys(SAMPLES, WORKS), "JavaScript": lacking}
    )
    assert host.state()["languages"]["JavaScript"] == {
        "works": False,
        "missing": True,
        "trouble": "Node is not installed on this host.",
        "runtime": RUNTIME,
        "versions": {},
    }
    with caplog.at_level("INFO"):
        host.prove_again()
    assert host.state()["languages"]["JavaScript"]["works"]
    assert "bots in JavaScript can play here" in caplog.text


def test_a_runtime_that_is_here_and_starts_no_bot_is_said_loudly(caplog: pytest.LogCaptureFixture) -> None:
    heartbeat.say_what_plays({"Python": Proof(False, "A bot did not say hello.")})
    assert "PYTHON BOTS CANNOT PLAY ON THIS HOST: A bot did not say hello." in caplog.text
    assert caplog.records[0].levelname == "ERROR"


@pytest.mark.skipif(not shutil.which("npm"), reason="npm is not installed")
def test_packages_of_node_bots_are_fetched_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modules = tmp_path / "node" / "node_modules"
    monkeypatch.setenv("ARENA_NODE_MODULES", str(modules))
    monkeypatch.setattr(node, "PACKAGES", ("@grpc/no-such-package-anywhere@^99.0.0",))
    with pytest.raises(RuntimeMissingError, match="npm could not install"):
        node.fetch_modules()
    assert not list((tmp_path / "node").iterdir())


def test_without_npm_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(RuntimeMissingError, match="apt-get install npm"):
        node.fetch_modules()
