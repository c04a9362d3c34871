"""Learn to judge positions from games against oneself. NumPy is all it needs.

    python -m aztlan.examples.train_value --seats 4 --rounds 60 --out my-bot/value-4.npz

Every round plays some games at once: each seat takes the action whose outcome the network likes best, now and
then any. It decides as a bot must: what it cannot know is dealt anew first. Then the network learns to
foretell, from what each seat saw after its actions, how its game ended. After every few rounds it is measured
against the formula that it started from, and the curve is drawn.

The same seed gives the same weights. After each round everything is saved, so that Ctrl-C loses nothing: the
same command goes on where it stopped.
"""

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from aztlan.house.network import HIDDEN, INPUTS, MUCH, VERSION, Array, Weights, packed
from engine.kernel import Batch

EXPLORE = 0.03
"""How often any action is taken instead of the best."""
STEP, PIECE = 0.001, 1024
SHARE = 0.25
"""How much of what it has learned it plays by, on top of the formula. All positions of a game end alike, so
it learns from fewer cases than it seems, and trusts its opinion too much: with all of it, it plays worse."""
WORLDS = 1
"""In how many worlds each action is tried: more is better play and slower."""
KEPT = 12
"""It learns from so many rounds at a time: from the last one alone it would forget what it knew."""


Past = npt.NDArray[np.float16]


@dataclass
class Training:
    """Everything that a checkpoint holds."""

    seats: int
    seed: int
    done: int = 0
    weights: Weights = field(default_factory=dict)
    momenta: Weights = field(default_factory=dict)
    curve: list[tuple[int, float]] = field(default_factory=list)
    steps: int = 0
    kept: dict[int, tuple[Past, Past]] = field(default_factory=dict)
    """By round, what was seen and how it ended; in 16 bits, and so the same after a checkpoint."""

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        if not self.weights:
            self.weights = {
                "w1": rng.normal(0, (2 / INPUTS) ** 0.5, (INPUTS, HIDDEN)).astype(np.float32),
                "b1": np.zeros(HIDDEN, np.float32),
                "w2": np.zeros((HIDDEN, 1), np.float32),
                "b2": np.zeros(1, np.float32),
            }

    def formula(self) -> bytes:
        """The network that has learned nothing: the warlord's formula, from which it starts."""
        return packed(self.weights, 0.0)


def play_games(networks: list[bytes], games: int, rng: np.random.Generator, explore: float) -> Any:
    """Play games to the end; seat s follows `networks[s]`.

    Return what was seen after each action, by whom and in which game; then the places and scores.
    """
    batch = Batch(len(networks), [rng.bytes(32) for _ in range(games)])
    seen, owners, numbers = [], [], []
    rows = np.zeros((games, INPUTS), np.float32)
    while True:
        acting = np.array(batch.to_act())
        live = np.flatnonzero(acting >= 0)
        if not len(live):
            break
        chosen, seed = np.full(games, -1, np.int64), int(rng.integers(2**62))
        for network in dict.fromkeys(networks):
            mine = [i for i in live if networks[acting[i]] == network]
            asked = batch if len(mine) == games else batch.take(mine)
            into = rows[: len(mine)]
            chosen[mine] = asked.think(network, WORLDS, seed, explore, into)
            seen.append(into.copy())
            owners.append(acting[mine])
            numbers.append(np.array(mine, np.intp))
        batch.step(chosen)
    ends = np.array([batch.placements(i) for i in range(games)], np.float32)
    scores = np.array([batch.scores(i) for i in range(games)], np.float32)
    return np.concatenate(seen), np.concatenate(owners), np.concatenate(numbers), ends, scores


def forward(weights: Weights, seen: Array) -> tuple[Array, Array]:
    """The hidden layer and the answer, as `engine.kernel.foretell` computes them."""
    hidden = np.maximum(seen @ weights["w1"] + weights["b1"], 0)
    answer: Array = np.tanh((hidden @ weights["w2"] + weights["b2"])[:, 0] + seen[:, -1])
    return hidden, answer


def outcomes(places: Array, scores: Array) -> Array:
    """What is learned, by game and seat: half the place, half the lead over the others' mean."""
    n = places.shape[1]
    ahead = (scores - scores.mean(axis=1, keepdims=True)) * n / (n - 1)
    found: Array = ((n + 1 - 2 * places) / (n - 1) + np.tanh(ahead / MUCH)).astype(np.float32) / 2
    return found


def learn(training: Training, seen: Past, wanted: Past, rng: np.random.Generator) -> float:
    """Fit the network by Adam; return the mean squared error on the way."""
    weights, momenta, error = training.weights, training.momenta, 0.0
    order = rng.permutation(len(seen))
    for start in range(0, len(order), PIECE):
        piece = order[start : start + PIECE]
        looked_at = seen[piece].astype(np.float32)
        hidden, answer = forward(weights, looked_at)
        miss = answer - wanted[piece].astype(np.float32)
        error += float((miss**2).sum())
        slope = (miss * (1 - answer**2) / len(piece))[:, None]
        back = (slope @ weights["w2"].T) * (hidden > 0)
        slopes = {
            "w2": hidden.T @ slope,
            "b2": slope.sum(0),
            "w1": looked_at.T @ back,
            "b1": back.sum(0),
        }
        training.steps += 1
        for name, gradient in slopes.items():
            mean = momenta[f"m_{name}"] = 0.9 * momenta.get(f"m_{name}", 0) + 0.1 * gradient
            spread = momenta[f"v_{name}"] = 0.999 * momenta.get(f"v_{name}", 0) + 0.001 * gradient**2
            rate = STEP * (1 - 0.999**training.steps) ** 0.5 / (1 - 0.9**training.steps)
            weights[name] = (weights[name] - rate * mean / (spread**0.5 + 1e-8)).astype(np.float32)
    return error / len(seen)


def measure(training: Training, games: int) -> float:
    """The share of the others that one seat of the network's is placed before; they follow the formula."""
    shares, n = [], training.seats
    learned, formula = packed(training.weights, SHARE), training.formula()
    for mine in range(n):
        networks = [learned if seat == mine else formula for seat in range(n)]
        _, _, _, places, _ = play_games(networks, games // n, np.random.default_rng(1000 + mine), 0)
        shares.append(((n - places[:, mine]) / (n - 1)).mean())
    return float(np.mean(shares))


def save(training: Training, path: Path) -> None:
    """Write a checkpoint: the past rounds first, then all else, each whole or not at all."""
    past = {
        f"{part}{number}": one[i]
        for number, one in training.kept.items()
        for i, part in enumerate(("s", "w"))
    }
    counts = {"version": VERSION, "seats": training.seats, "seed": training.seed, "done": training.done}
    curve = np.array(training.curve, np.float64).reshape(-1, 2)
    numbers = {
        name: np.array(value)
        for name, value in {**counts, "share": SHARE, "steps": training.steps, "curve": curve}.items()
    }
    for target, arrays in (
        (path.with_suffix(".past.npz"), past),
        (path, {**numbers, **training.weights, **training.momenta}),
    ):
        fresh = target.with_suffix(".new")
        with fresh.open("wb") as file:
            np.savez(file, **arrays)
        fresh.replace(target)


def load(path: Path, seats: int, seed: int) -> Training:
    """Go on from a checkpoint, or begin."""
    if not path.exists():
        return Training(seats, seed)
    data = dict(np.load(path))
    if (int(data["version"]), int(data["seats"]), int(data["seed"])) != (VERSION, seats, seed):
        sys.exit(f"{path} is of another training (seats, seed or version): name another file with --out.")
    past, done = np.load(path.with_suffix(".past.npz")), int(data["done"])
    return Training(
        seats,
        seed,
        done,
        {name: data[name] for name in ("w1", "b1", "w2", "b2")},
        {name: data[name] for name in data if name[:2] in ("m_", "v_")},
        [(int(a), float(b)) for a, b in data["curve"]],
        int(data["steps"]),
        {n: (past[f"s{n}"], past[f"w{n}"]) for n in range(max(0, done - KEPT), done)},
    )


def draw(curve: list[tuple[int, float]], path: Path) -> None:
    """The curve as an SVG: rounds to the right, the share of opponents beaten upwards."""
    last = max(curve[-1][0], 1)
    points = " ".join(f"{40 + 540 * a / last:.1f},{260 - 240 * b:.1f}" for a, b in curve)
    lines = "".join(
        f'<path d="M40 {260 - 2.4 * y} H580" stroke="#ccc"/>'
        f'<text x="34" y="{264 - 2.4 * y}" text-anchor="end">{y}</text>'
        for y in (0, 25, 50, 75, 100)
    )
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 300" font-family="sans-serif" '
        f'font-size="11"><rect width="600" height="300" fill="#fff"/>{lines}'
        f'<text x="580" y="280" text-anchor="end">{last} rounds</text>'
        f'<text x="40" y="14">% of opponents beaten</text>'
        f'<polyline points="{points}" fill="none" stroke="#a33" stroke-width="2"/></svg>\n'
    )


def train(training: Training, rounds: int, games: int, out: Path, every: int, measured: int) -> None:
    """Play and learn until so many rounds are done."""
    while training.done < rounds:
        began, rng = time.monotonic(), np.random.default_rng([training.seed, training.done])
        networks = [packed(training.weights, SHARE)] * training.seats
        seen, owners, numbers, places, scores = play_games(networks, games, rng, EXPLORE)
        wanted = outcomes(places, scores)[numbers, owners]
        training.kept[training.done] = (seen.astype(np.float16), wanted.astype(np.float16))
        training.kept.pop(training.done - KEPT, None)
        past = [np.concatenate([one[part] for one in training.kept.values()]) for part in (0, 1)]
        error = learn(training, past[0], past[1], rng)
        training.done += 1
        words = f"round {training.done}/{rounds}: {len(seen):,} decisions, error {error:.3f}"
        if training.done % every == 0 or training.done == rounds:
            training.curve.append((training.done, measure(training, measured)))
            draw(training.curve, out.with_suffix(".svg"))
            words += f", beats {training.curve[-1][1]:.1%} of the formula's seats"
        save(training, out)
        print(f"{words}, {time.monotonic() - began:.1f} s", flush=True)


def main() -> None:
    """Train as the options say."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), default=4)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--games", type=int, default=128, help="games of a round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("value.npz"))
    parser.add_argument("--every", type=int, default=5, help="rounds between two measurements")
    parser.add_argument("--measured", type=int, default=96, help="games of a measurement")
    options = parser.parse_args()
    training = load(options.out, options.seats, options.seed)
    try:
        train(training, options.rounds, options.games, options.out, options.every, options.measured)
    except KeyboardInterrupt:
        done = load(options.out, options.seats, options.seed).done  # the last round may not have been saved
        kept = f"{options.out} has the first {done} rounds" if done else "No round is done yet"
        sys.exit(f"\nStopped. {kept}; the same command goes on.")


if __name__ == "__main__":
    main()
