"""What follows from a build: the version goes on to validation, or back to its author."""

from collections.abc import Callable

from arena.bots.models import Version

Follower = Callable[[Version, bool, str, str], None]
_followers: list[Follower] = []


def follow(follower: Follower) -> None:
    """Have a function called in the transaction that records a build, with whether it is good, why, log."""
    _followers.append(follower)


def finish(version: Version, ok: bool, reason: str, log: str) -> None:
    for follower in _followers:
        follower(version, ok, reason, log)
