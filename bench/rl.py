"""Training environments: the vector of games beside bare playouts, the AEC face, threads, and peers' vectors.

What runs on one core is counted in processor seconds and takes turns, so that all meet the same noise. Threads are
counted by the clock, for which two cores must be idle, and by processor time: what two threads would make of two
idle cores if neither waited for the other. Two processes that share nothing say how much more two cores of this
machine do than one, as cores share caches, memory, heat, and sometimes a physical core.
"""

from collections.abc import Callable
from importlib import import_module
from itertools import count
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np

from aztlan.house.ismcts import Ismcts
from aztlan.house.searcher import Searcher
from aztlan.house.warlord import Warlord
from aztlan.local.table import play_game
from aztlan.rl import RawEnv, VectorEnv
from bench.figures import figure
from engine.kernel import Batch

ROUNDS, SECONDS, GAMES, MANY = 7, 0.3, 384, 4096
AT_ONCE = 8
"""Steps between two looks at the clock."""
HEARTS_AT_ONCE, PGX_AT_ONCE, PGX_STEPS = 64, 1024, 20


def playouts() -> Callable[[], int]:
    """Random games inside the kernel; decisions per call."""
    batch, numbers = Batch(4, [n.to_bytes(32, "big") for n in range(200)]), count()
    return lambda: batch.playouts(next(numbers) % 200, 100, next(numbers) * 100)[1]


def vector(games: int = GAMES, threads: int = 1) -> Callable[[], int]:
    """Steps of all games, with random actions drawn, observations and masks written."""
    env, numbers = VectorEnv(games, 4, threads=threads), count()
    for _ in range(400):  # so that the games are no longer in step
        env.step(env.sample(next(numbers)))

    def steps() -> int:
        for _ in range(AT_ONCE):
            env.step(env.sample(next(numbers)))
        return games * AT_ONCE

    return steps


def aec() -> Callable[[], int]:
    """A decision of the PettingZoo environment without its guards: observe, choose, step."""
    env, rng = RawEnv(4), np.random.default_rng(1)
    env.reset(seed=1)

    def step() -> int:
        if env.terminations[env.agent_selection]:
            env.reset()
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(rng.choice(np.flatnonzero(mask))))
        return 1

    return step


def open_spiel() -> Callable[[], int]:
    """OpenSpiel's vector environment on hearts, which is as long a card game."""
    library, environment = (
        import_module("open_spiel.python.vector_env"),
        import_module("open_spiel.python.rl_environment"),
    )
    env = library.SyncVectorEnv([environment.Environment("hearts") for _ in range(HEARTS_AT_ONCE)])
    answer = import_module("open_spiel.python.rl_agent").StepOutput
    rng, state = np.random.default_rng(1), [env.reset()]

    def step() -> int:
        chosen = []
        for one in state[0]:
            legal = one.observations["legal_actions"][one.current_player()]
            chosen.append(answer(action=int(rng.choice(legal)), probs=None))
        state[0] = env.step(chosen, reset_if_done=True)[0]
        return HEARTS_AT_ONCE

    return step


def pgx() -> Callable[[], int]:
    """Pgx's vector of Sparrow Mahjong, its longest game of hidden hands, compiled for the CPU by JAX."""
    jax, library = import_module("jax"), import_module("pgx")
    wrappers = import_module("pgx.experimental.wrappers")
    env = library.make("sparrow_mahjong")
    step = jax.vmap(wrappers.auto_reset(env.step, env.init))

    def decide(state: Any, key: Any) -> tuple[Any, Any]:
        numbers = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        return step(state, jax.random.categorical(key, numbers), jax.random.split(key, PGX_AT_ONCE)), None

    run = jax.jit(lambda state, key: jax.lax.scan(decide, state, jax.random.split(key, PGX_STEPS))[0])
    state = [jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), PGX_AT_ONCE))]
    keys = (jax.random.PRNGKey(number) for number in count())

    def steps() -> int:
        state[0] = jax.block_until_ready(run(state[0], next(keys)))
        return PGX_AT_ONCE * PGX_STEPS

    steps()  # compiles
    return steps


def rate(step: Callable[[], int], clock: Callable[[], float], seconds: float = SECONDS) -> float:
    """Decisions per second."""
    begin, done = clock(), 0
    while (spent := clock() - begin) < seconds:
        done += step()
    return done / spent


def beside_itself(processes: int) -> float:
    """Decisions per second by the clock of so many vectors of games, each in a process of its own, at once."""
    fresh = get_context("spawn")  # a forked one would inherit the threads of this
    ready, answers = fresh.Barrier(processes), fresh.SimpleQueue()
    children = [fresh.Process(target=run_beside, args=(ready, answers)) for _ in range(processes)]
    for child in children:
        child.start()
    total: float = sum(answers.get() for _ in children)
    for child in children:
        child.join()
    return total


def run_beside(ready: "Barrier", answers: "SimpleQueue[float]") -> None:
    """Measure one vector of games when all are ready."""
    step = vector(MANY)
    ready.wait()
    answers.put(rate(step, perf_counter, 2 * SECONDS))


def simulations(bot: Ismcts | Searcher, each: int) -> float:
    """Simulations per processor second of a bot's search in one game; `each` action is tried in every world."""
    spent, looked = 0.0, 0
    think, note = bot.choose, bot.note

    def choose(observation: object, legal: object) -> int:
        nonlocal spent
        begin = process_time()
        action: int = think(observation, legal)  # type: ignore[arg-type]
        spent += process_time() - begin
        return action

    def counted(text: str) -> None:
        nonlocal looked
        looked += int(text.split()[0]) * each
        note(text)

    bot.choose, bot.note = choose, counted  # type: ignore[method-assign]
    play_game([bot, Warlord(1), Warlord(2), Warlord(3)], bytes(32))
    return looked / spent


def main() -> None:
    """Print the figures."""
    loops = {"playouts": playouts(), "vector": vector(), "AEC": aec()}
    for name, peer in (
        ("OpenSpiel's vector of hearts", open_spiel),
        ("pgx's vector of Sparrow Mahjong", pgx),
    ):
        try:
            loops[name] = peer()
        except ImportError as error:
            print(f"no {name}: {error}; `make peers` installs the bench extra")
    rounds = [{name: rate(step, process_time) for name, step in loops.items()} for _ in range(ROUNDS)]
    for name in loops:
        figure(f"{name}, decisions", median(one[name] for one in rounds), "per second and core")

    def ratio(name: str, other: str, at_least: float) -> None:
        if other in loops:
            figure(name, median(one["vector"] / one[other] for one in rounds), "x", at_least=at_least)

    ratio("vector over bare playouts", "playouts", 0.3)
    ratio("vector over the AEC face", "AEC", 30)
    ratio("vector over OpenSpiel's vector of hearts", "OpenSpiel's vector of hearts", 1)
    ratio("vector over pgx's vector of Sparrow Mahjong", "pgx's vector of Sparrow Mahjong", 1)
    both = [beside_itself(2) / beside_itself(1) for _ in range(ROUNDS)]
    figure("two processes over one, by the clock: what the cores can give", median(both), "x")
    one, two = vector(MANY), vector(MANY, threads=2)
    pairs = [(rate(one, perf_counter), rate(two, perf_counter)) for _ in range(ROUNDS)]
    figure("two threads over one, by the clock", median(b / a for a, b in pairs), "x", at_least=1.8)
    pairs = [(rate(one, process_time), rate(two, process_time)) for _ in range(ROUNDS)]
    figure("two threads over one, by processor time", median(2 * b / a for a, b in pairs), "x", at_least=1.8)
    tree, flat = simulations(Ismcts(1, simulations=320), 1), simulations(Searcher(1, worlds=20), 5)
    figure("simulations of ismcts over the searcher's", tree / flat, "x", at_least=5)


if __name__ == "__main__":
    main()
