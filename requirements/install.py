"""Create .venv and install the locked requirements and the project into it, only when something changed.

Runs on the system's Python before anything is installed: standard library only, and no syntax that an old
Python could not read, or that Python would answer with a SyntaxError instead of a sentence.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCK = ROOT / "requirements" / "dev.lock"
PIP = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps"]


def check_python():
    if sys.version_info < (3, 11):  # noqa: UP036  an older Python is just what this looks for
        version = ".".join(map(str, sys.version_info[:2]))
        sys.exit(
            f"Python 3.11 or later is needed, and {sys.executable} is {version}: "
            "choose another with PYTHON=, as in `make up PYTHON=python3.12`."
        )


def run(what, *command):
    """Run a long step on one line: what happens, then how long it took, or why it failed."""
    began = time.time()
    print(what, end=" ... ", flush=True)
    done = subprocess.run(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=str(ROOT)
    )
    if done.returncode:
        print("failed")
        sys.exit(f"{what} failed; this is why:\n{done.stdout.decode('utf-8', 'replace').strip()}")
    print(f"{time.time() - began:.0f} s")


def environment_works():
    """A virtual environment breaks when its folder moves, its Python goes, or its making was cut short."""
    pip = VENV / "bin" / "pip"
    library = VENV / "lib" / "python{}.{}".format(*sys.version_info[:2])
    if not (PYTHON.exists() and pip.exists() and (library / "site-packages" / "pip").exists()):
        return False
    return f"{VENV}/bin/" in pip.read_text()[:1000]


def create_environment():
    try:
        import ensurepip  # noqa: F401  Debian keeps it in a package of its own
    except ImportError:
        install_venv_package()
    shutil.rmtree(str(VENV), ignore_errors=True)
    run("Creating the virtual environment .venv", sys.executable, "-m", "venv", VENV)


def install_venv_package():
    command = ["apt-get", "install", "--yes", "python3-venv"]
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit("Python's venv module is missing; install it with: sudo " + " ".join(command))
    run("Reading the package lists", "apt-get", "update")
    run("Installing python3-venv", *command)


def fingerprint(paths):
    """Hash the files' contents, so that a checkout that only touches their times installs nothing."""
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(paths):
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def when_changed(name, paths, *step):
    """Run the step unless it ran to its end before with the same files."""
    stamp = VENV / f".installed-{name}"
    wanted = fingerprint(paths)
    if stamp.exists():
        if stamp.read_text() == wanted:
            return
        stamp.unlink()
    run(*step)
    stamp.write_text(wanted)


def name_folders():
    """Name the project's folders to every tool of the environment.

    An editable installation of two source folders is an import hook, which Python follows, but no editor
    and no type checker: to them `aztlan` would not exist.
    """
    folder = VENV / "lib" / "python{}.{}".format(*sys.version_info[:2]) / "site-packages"
    (folder / "aztlan-arena.pth").write_text(f"{ROOT}\n{ROOT / 'sdk'}\n", encoding="utf-8")


def forget_stale_engine():
    """Have the engine compiled again if it was compiled from other sources than those that are here now."""
    stale = subprocess.run([str(PYTHON), str(ROOT / "engine" / "form.py")], cwd=str(ROOT)).returncode
    stamp = VENV / ".installed-project"
    if stale and stamp.exists():
        stamp.unlink()


def take_turns():
    """Let a second installation in this folder wait for the first. The lock ends with this process."""
    lock = LOCK.open()
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        print("Waiting for another installation in this folder ...", flush=True)
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def main():
    check_python()
    _turn = take_turns()
    if not environment_works():
        create_environment()
    what = "Installing the locked requirements (half a minute, only when they change)"
    when_changed("requirements", [LOCK], what, *PIP, "--require-hashes", "-r", LOCK)
    forget_stale_engine()
    # The engine is compiled into the environment, so a changed source of it is a changed build.
    compiled = [path for path in (ROOT / "engine").rglob("*.*") if path.suffix in {".py", ".c", ".h"}]
    sources = [ROOT / "pyproject.toml", ROOT / "setup.py", *compiled]
    what = "Building the project (a minute where there is a C compiler, only when the engine changes)"
    when_changed("project", sources, what, *PIP, "--no-build-isolation", "-e", ROOT)
    name_folders()
    texts = [*(ROOT / "arena" / "locale").rglob("*.po")]
    when_changed("texts", texts, "Compiling the texts of the languages", PYTHON, "-m", "arena.catalogues")


if __name__ == "__main__":
    main()
