"""`aztlan login`: create a token on an arena and save it."""

import argparse
import getpass
import platform
import sys
from datetime import datetime

from aztlan.errors import SdkError
from aztlan.remote import Arena, RemoteError
from aztlan.remote_account import DEFAULT_URL, check_url, remember

SCOPES = ["bots", "matches", "private"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("url", nargs="?", default=DEFAULT_URL, help=f"the arena's address ({DEFAULT_URL})")
    parser.add_argument("-u", "--username", help="your username; asked for if left out")
    parser.add_argument("--token", action="store_true", help="give a token instead of a password")
    parser.add_argument("--stdin", action="store_true", help="read the password or token from standard input")


def run(options: argparse.Namespace) -> int:
    """Sign in and save the token."""
    url = check_url(options.url)
    if options.token:
        secret = ask("Token: ", options.stdin)
        Arena(url, secret).get("bots", page_size=1)
    else:
        username = options.username or ask_name()
        name = f"aztlan on {platform.node()[:20]}, {datetime.now().astimezone():%Y-%m-%d %H:%M:%S}"
        password = ask("Password: ", options.stdin)
        body = {"username": username, "password": password, "name": name, "scopes": SCOPES}
        secret = sign_in(url, body, options.stdin)
    print(f"Signed in to {url}; the token is in {remember(url, secret)}.")
    return 0


def sign_in(url: str, body: dict[str, object], from_stdin: bool) -> str:
    """Return a new token; ask for the code of a second factor where the account has one."""
    try:
        return str(Arena(url).post("sign-in", body)["secret"])
    except RemoteError as error:
        if error.code != "second-factor":
            raise
    code = ask("Code of your authenticator app, or a recovery code: ", from_stdin)
    return str(Arena(url).post("sign-in", {**body, "code": code})["secret"])


def ask_name() -> str:
    try:
        return input("Username: ")
    except EOFError:
        raise SdkError("no username was given: pass it with -u") from None


def ask(prompt: str, from_stdin: bool) -> str:
    try:
        secret = sys.stdin.readline().rstrip("\n") if from_stdin else getpass.getpass(prompt)
    except EOFError:
        secret = ""
    if not secret:
        raise SdkError(f"no {prompt.strip(': ').lower()} was given; without a terminal, use --stdin")
    return secret
