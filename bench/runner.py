"""The match runner beside its limit: a bare gRPC ping-pong of the very messages that a match sends.

Both sides of both run under uvloop, in processes of their own. Rounds alternate and the medians count, of the
rates and of the rounds' ratios, since machines are noisy. The limit is taken with as many streams as the match
has, asked in the same order, and with one stream alone; with gRPC as it comes, and with gRPC polling as our
hosts have it (`workers.polling`). The host's own work (rules, codec, clocks, record) is measured by its
processor time, without a transport.
"""

import multiprocessing
import os
from collections.abc import Mapping
from multiprocessing.pool import Pool
from statistics import median
from unittest import mock

import uvloop

from bench._runner_host import host_microseconds
from bench._runner_limit import ping_pong
from bench._runner_matches import AS_IT_COMES, SEATS, Asked, listen_in, play_processes
from bench.figures import figure
from workers.polling import POLLING

ROUNDS = 9
TARGET_RATIO = 0.7
TARGET_US = 150


def main() -> None:
    """Measure round trips per second in a match and at the limits, their ratios, and the host's own cost."""
    with process(POLLING) as ours, process(AS_IT_COMES) as bare:
        asked: Asked = ours.apply(heard)
        decisions = sum(len(group) for group in asked)
        sizes = [len(data) for group in asked for _, data in group]
        alone = [[(0, data)] for group in asked for _, data in group]
        limits = (
            (f"{SEATS} streams in turn", bare, asked, SEATS),
            ("1 stream", bare, alone, 1),
            (f"{SEATS} streams in turn, our polling", ours, asked, SEATS),
        )
        matches: list[float] = []
        rates: list[list[float]] = [[] for _ in limits]
        for _ in range(ROUNDS):
            matches.append(decisions / ours.apply(match_seconds))
            for found, (_, where, messages, streams) in zip(rates, limits, strict=True):
                found.append(decisions / where.apply(limit_seconds, (messages, streams)))
        cost = min(ours.apply(own_work) for _ in range(ROUNDS))
    figure(f"match of {SEATS} seats, round trips", median(matches), "per second")
    figure(f"match of {SEATS} seats, decisions", decisions)
    figure(f"match of {SEATS} seats, largest message", max(sizes), "bytes")
    for (name, *_), found in zip(limits, rates, strict=True):
        ratio = median(match / rate for match, rate in zip(matches, found, strict=True))
        figure(f"ping-pong over {name}, round trips", median(found), "per second")
        figure(f"match over ping-pong over {name}", ratio, "x", at_least=TARGET_RATIO)
    figure("the host's own work per decision", cost, "µs", at_most=TARGET_US)


def process(environment: Mapping[str, str]) -> Pool:
    """A process for one measurement at a time: gRPC reads its environment once, when it is imported."""
    with mock.patch.dict(os.environ, environment):
        return multiprocessing.get_context("spawn").Pool(1)


def heard() -> Asked:
    return uvloop.run(listen_in())


def match_seconds() -> float:
    return uvloop.run(play_processes()).play_us / 1e6


def limit_seconds(asked: Asked, streams: int) -> float:
    return uvloop.run(ping_pong(asked, streams))


def own_work() -> float:
    return uvloop.run(host_microseconds())


if __name__ == "__main__":
    main()
