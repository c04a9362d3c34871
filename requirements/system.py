"""Install the named Debian packages where this is root, else say which command does it.

Never fails: what lacks a package says so itself (a match host without a sandbox takes no match, a test that
needs a browser or a wrong clock is skipped).
"""

import os
import shutil
import subprocess
import sys

COMMANDS = {"bubblewrap": "bwrap", "chromium": "chromium", "faketime": "faketime"}


def main(packages):
    missing = [package for package in packages if not shutil.which(COMMANDS[package])]
    if not missing:
        return
    install = ["apt-get", "install", "--yes", "--no-install-recommends", *missing]
    names = " and ".join(missing)
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        print(f"Not installed: {names}. Install with: sudo {' '.join(install)}")
        return
    print(f"Installing {names}", end=" ... ", flush=True)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    for command in (["apt-get", "update"], install):
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            print(f"failed; see what `{' '.join(command)}` says")
            return
    print("done")


if __name__ == "__main__":
    main(sys.argv[1:])
