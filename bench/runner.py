"""The match runner beside its limit: a bare gRPC ping-pong of the very messages that a match sends.

Both sides of both run under uvloop, in processes of their own. Rounds of the two alternate and the medians
count, of the rates and of the rounds' ratios, since machines are noisy. The limit is taken twice: with as
many streams as the match has, asked in the same order, and with one stream alone. The host's own work (rules,
codec, clocks, record) is measured by its processor time, without a transport.
"""

from statistics import median

import uvloop

from bench._runner_host import host_microseconds
from bench._runner_limit import ping_pong
from bench._runner_matches import SEATS, listen_in, play_processes

ROUNDS = 9
TARGET_RATIO = 0.7
TARGET_US = 150


def main() -> None:
    """Print round trips a second in a match, the limits', their ratios, and the host's own cost."""
    asked = uvloop.run(listen_in())
    decisions = sum(len(group) for group in asked)
    sizes = [len(data) for group in asked for _, data in group]
    alone = [[(0, data)] for group in asked for _, data in group]
    matches, limits, lone = [], [], []
    for _ in range(ROUNDS):
        matches.append(decisions / uvloop.run(play_processes()).play_us * 1e6)
        limits.append(decisions / uvloop.run(ping_pong(asked, SEATS)))
        lone.append(decisions / uvloop.run(ping_pong(alone, 1)))
    cost = min(uvloop.run(host_microseconds()) for _ in range(ROUNDS))
    print(f"{SEATS} seats, {decisions} decisions, messages of {min(sizes)} to {max(sizes)} bytes")
    print(f"match                  {median(matches):6.0f} round trips/s")
    for name, rates in ((f"{SEATS} streams in turn", limits), ("1 stream", lone)):
        ratio = median(match / rate for match, rate in zip(matches, rates, strict=True))
        print(
            f"ping-pong, {name:<19}{median(rates):6.0f} round trips/s; the match reaches {ratio:.2f}x of it"
        )
    print(f"targets: {TARGET_RATIO}x; the host's own work under {TARGET_US} us a decision: {cost:.0f} us")


if __name__ == "__main__":
    main()
