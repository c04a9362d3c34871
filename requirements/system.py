"""Install the named Debian packages where this is root, else say which command does it.

Never fails: what lacks a package says so itself (a match host without a sandbox takes no match, a test that
needs a browser or a compiler is skipped).
"""

import os
import shutil
import subprocess
import sys

ANYWHERE = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
SANDBOXED = "/usr/bin:/usr/local/bin:/usr/local/go/bin"  # what a sandbox reaches, unlike somebody's home
LIBRARIES = "/usr/lib/podman:/usr/libexec/podman"
COMMANDS = {
    "aardvark-dns": ("aardvark-dns", LIBRARIES),
    "bubblewrap": ("bwrap", ANYWHERE),
    "buildah": ("buildah", ANYWHERE),
    "cargo": ("cargo", SANDBOXED),
    "catatonit": ("catatonit", LIBRARIES),
    "chromium": ("chromium", ANYWHERE),
    "default-jdk-headless": ("javac", SANDBOXED),
    "faketime": ("faketime", ANYWHERE),
    "g++": ("g++", SANDBOXED),
    "gettext": ("xgettext", ANYWHERE),
    "golang-go": ("go", SANDBOXED),
    "iptables": ("iptables", ANYWHERE),
    "mmdebstrap": ("mmdebstrap", ANYWHERE),
    "netavark": ("netavark", LIBRARIES),
    "nodejs": ("node", ANYWHERE),
    "npm": ("npm", ANYWHERE),
    "podman": ("podman", ANYWHERE),
    "podman-compose": ("podman-compose", ANYWHERE),
    "runc": ("runc", ANYWHERE),
}


def is_installed(package):
    command, path = COMMANDS[package]
    return shutil.which(command, path=path) is not None


def apt_get(*arguments):
    """Run apt-get without questions; return whether it did it."""
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    command = ["apt-get", *arguments]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode == 0


def main(packages):
    missing = [package for package in packages if not is_installed(package)]
    if not missing:
        return
    install = ["install", "--yes", "--no-install-recommends"]
    names = ", ".join(missing)
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        print(f"Not installed: {names}. Install with: sudo apt-get {' '.join(install + missing)}")
        return
    print(f"Installing {names}", end=" ... ", flush=True)
    apt_get("update")
    if not apt_get(*install, *missing):  # one that cannot be had must not keep out the others
        for package in missing:
            apt_get(*install, package)
    failed = [package for package in missing if not is_installed(package)]
    print(f"failed; see what `apt-get install {' '.join(failed)}` says" if failed else "done")


if __name__ == "__main__":
    main(sys.argv[1:])
