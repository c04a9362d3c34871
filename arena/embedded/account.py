"""PostgreSQL refuses to run as root: if we are root, it gets an account of its own."""

import os
import pwd
import shutil
import subprocess
from pathlib import Path

from arena.embedded.process import Account

NAME = "arena-postgres"


def server_account() -> Account | None:
    """Return the account to run PostgreSQL as, created at its first use, or None to run as ourselves."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(NAME)
    except KeyError:
        create_account()
        entry = pwd.getpwnam(NAME)
    return Account(entry.pw_uid, entry.pw_gid)


def create_account() -> None:
    useradd = shutil.which("useradd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if useradd is None:
        raise SystemExit("PostgreSQL cannot run as root and there is no useradd: run as another user.")
    command = [useradd, "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", NAME]
    done = subprocess.run(command, capture_output=True, text=True)
    # Two test runs may get here at once; the second finds the account created.
    if done.returncode and "already exists" not in done.stderr:
        raise SystemExit(
            f"PostgreSQL cannot run as root, and creating an account for it failed: {done.stderr.strip()}"
        )


def let_through(account: Account | None, *paths: Path) -> None:
    """Let the account pass through the folders above the paths; it gains no right to list or read them."""
    if account is None:
        return
    for folder in {parent for path in paths for parent in path.resolve().parents}:
        mode = folder.stat().st_mode
        if not mode & 0o001:
            folder.chmod(mode & 0o7777 | 0o001)


def own_folder(folder: Path, account: Account | None) -> None:
    """Make the folder private to the server, and refuse one that somebody else created."""
    folder.mkdir(mode=0o700, exist_ok=True)
    owner = account.uid if account else os.geteuid()
    if folder.is_symlink() or folder.stat().st_uid not in {owner, os.geteuid()}:
        raise SystemExit(
            f"{folder} belongs to another user: run as that user, or set ARENA_HOME to another folder."
        )
    if account:
        os.chown(folder, account.uid, account.gid)
