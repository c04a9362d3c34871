"""Importing our packages changes nothing in the process, and reads no source beside what Python itself loads."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "contests", "proto", "workers")
PROGRAM = """
import json, os, signal, sys
from importlib import import_module

ROOT, modules = sys.argv[1], sys.argv[2:]
LOADER = "<frozen importlib._bootstrap_external>"
read = []


def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and arguments[0].startswith(ROOT):
        by = sys._getframe(1).f_code.co_filename
        if by != LOADER and arguments[0].endswith((".py", ".c", ".h")):
            read.append(f"{arguments[0]} by {by}")


def process():
    handlers = {int(one): repr(signal.getsignal(one)) for one in signal.valid_signals()}
    return {"environ": dict(os.environ), "meta_path": list(map(repr, sys.meta_path)), "signals": handlers}


import site, importlib.metadata, logging, multiprocessing, asyncio  # what any program may have imported
for name in ("celery", "kombu", "billiard", "google.protobuf", "six"):
    import_module(name)
sys.addaudithook(watch)
changed = {}
for name in modules:
    before = process()
    import_module(name)
    after = process()
    changed |= {f"{name}: {part}": [before[part], after[part]] for part in before if before[part] != after[part]}
print(json.dumps({"changed": changed, "read": read}))
"""


def modules(package: str) -> list[str]:
    paths = sorted((ROOT / package).rglob("*.py"))
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths]
    return [name.removesuffix(".__init__") for name in names if not name.endswith("__main__")]


def import_all(names: list[str], form: str = "auto") -> dict[str, object]:
    grpc = ("GRPC_EXPERIMENTS", "GRPC_ENABLE_FORK_SUPPORT")
    kept = {name: value for name, value in os.environ.items() if name not in grpc}
    env = {**kept, "REDIS_URL": "redis://localhost", "AZTLAN_ENGINE": form}
    command = [sys.executable, "-c", PROGRAM, str(ROOT), *names]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("package", PACKAGES)
def test_importing_a_package_and_all_its_modules_changes_nothing(package: str) -> None:
    assert import_all(modules(package)) == {"changed": {}, "read": []}


def test_the_pure_engine_is_imported_without_a_hook() -> None:
    assert import_all(modules("engine"), form="pure") == {"changed": {}, "read": []}


def test_a_module_that_changes_the_process_is_found(tmp_path: Path) -> None:
    (tmp_path / "meddling.py").write_text("import os\nos.environ['MEDDLED'] = '1'\nopen(__file__).close()\n")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{PROGRAM}"
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path), "meddling"], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert list(found["changed"]) == ["meddling: environ"]
    assert len(found["read"]) == 1
