"""The match runner beside its limit: a bare gRPC ping-pong of the very messages that a match sends.

Both sides of both run under uvloop, in processes of their own. Rounds of the two alternate and the medians
count, since machines are noisy. The host's own work is measured by its processor time.
"""

from statistics import median

import uvloop

from bench._runner_host import host_microseconds
from bench._runner_limit import ping_pong
from bench._runner_matches import SEATS, listen_in, play_processes

ROUNDS = 8
TARGET_RATIO = 0.7
TARGET_US = 150


def main() -> None:
    """Print round trips a second in a match, the limit's, their ratio, and the host's own cost."""
    asked = uvloop.run(listen_in())
    decisions = sum(len(group) for group in asked)
    sizes = [len(data) for group in asked for _, data in group]
    alone = [[(0, data)] for group in asked for _, data in group]
    matches, limits, lone = [], [], []
    for _ in range(ROUNDS):
        matches.append(uvloop.run(play_processes()).play_us / 1e6)
        limits.append(uvloop.run(ping_pong(asked, SEATS)))
        lone.append(uvloop.run(ping_pong(alone, 1)))
    cost = min(uvloop.run(host_microseconds()) for _ in range(ROUNDS))
    print(f"{SEATS} seats, {decisions} decisions, messages of {min(sizes)} to {max(sizes)} bytes")
    for name, seconds in (
        ("match", matches),
        (f"ping-pong, {SEATS} streams", limits),
        ("ping-pong, 1 stream", lone),
    ):
        print(f"{name:<22}{decisions / median(seconds):8.0f} round trips/s")
    for name, seconds in ((f"{SEATS} streams", limits), ("1 stream", lone)):
        ratio = median(seconds) / median(matches)
        print(f"match / ping-pong of {name}: {ratio:.2f}x (target {TARGET_RATIO}x)")
    print(f"the host's own work: {cost:.0f} us a decision (target {TARGET_US} us)")


if __name__ == "__main__":
    main()
