"""Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012) over batches of worlds.

One tree for all worlds that the bot cannot tell apart. Each simulation deals a new world, walks down the
actions that are legal in it, plays the age out, and tells every node on its way how the seats fared. A node
belongs to the seat that acts there, which likes what is good for itself. Because a world may not allow an
action, it is counted how often each was *available*: that takes the place of the parent's visits in UCB1.
"""

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count, pairwise
from time import monotonic

from aztlan.house.settler import A_CARD
from aztlan.house.warlord import LATER, Warlord
from aztlan.house.worlds import deal_worlds
from aztlan.kernel import FEATURES, Batch
from aztlan.rules import CHOOSING, LAST_AGE, Observation

WIDTH = 6
"""How many actions of a node are tried: the best at first sight. Most positions have thirty or more."""
OPEN_AFTER = 8
"""Visits after which a node is expanded: a first sight costs more than a simulation."""
TRUST = 2.0
"""How many visits the first sight of an action counts as."""
CURIOSITY = 0.1
"""How much a rarely tried action is favoured: c of UCB1, for values between -1 and 1."""
WORLDS = 16
"""Worlds dealt and evaluated per batch, which is cheaper than one by one."""
MUCH = 50.0
"""The lead in points that counts as 1."""
SCORE, NOW, AFTER, HAND, AGE, PHASE = (
    FEATURES.index(name) for name in ("score", "now", "later", "hand", "age", "phase")
)


@dataclass(slots=True)
class TreeNode:
    """Statistics of the positions after a sequence of actions."""

    seat: int = -1
    first_sight: dict[int, float] = field(default_factory=dict)
    children: dict[int, "TreeNode"] = field(default_factory=dict)
    visits: int = 0
    available: int = 0
    total: float = 0.0

    def appeal(self, action: int) -> float:
        """Return UCB1 over the times an action was available, including its first sight."""
        child = self.children[action]
        mean = (child.total + TRUST * self.first_sight[action]) / (child.visits + TRUST)
        return mean + CURIOSITY * math.sqrt(math.log(child.available + 1) / (child.visits + TRUST))


class TreeBot(Warlord):
    """Thinks for `seconds` per decision, less when its clock runs low, or for a number of `simulations`."""

    def __init__(self, seed: int = 0, seconds: float = 0.05, simulations: int | None = None) -> None:
        super().__init__(seed)
        self.seconds = seconds
        self.simulations = simulations

    def choose(self, observation: Observation, legal: Sequence[int]) -> int:  # noqa: ARG002  each world has its own
        """Search while there is time; take the action that was tried most."""
        root = TreeNode()
        done = self.until_time_is_up(lambda: self.search(root, observation), WORLDS)
        best = max(root.children, key=lambda action: (root.children[action].visits, root.first_sight[action]))
        self.note(f"{done} simulations, {root.children[best].visits} of them for this")
        return best

    def until_time_is_up(self, simulate: Callable[[], object], at_once: int) -> int:
        """Simulate again and again; return how many simulations were made."""
        deadline = monotonic() + min(self.seconds, self.time_left / 20, self.time_limit / 4)
        for rounds in count(1):
            simulate()
            done = rounds * at_once
            if done >= self.simulations if self.simulations else monotonic() > deadline:
                return done
        raise AssertionError("counting never ends")

    def search(self, root: TreeNode, observation: Observation) -> None:
        """Run one batch of simulations, whose worlds are dealt and evaluated together."""
        worlds = deal_worlds(self, observation, WORLDS)
        paths = [self.walk(root, worlds, i, observation.age) for i in range(WORLDS)]
        for path, values in zip(paths, self.outcomes(worlds), strict=True):
            for parent, child in pairwise(path):
                child.total += values[parent.seat]

    def walk(self, root: TreeNode, worlds: Batch, world: int, age: int) -> list[TreeNode]:
        """Walk down the tree in one world; return the way, which ends in a node that is yet to be opened.

        Visits count at once, so that the worlds of one round spread out.
        """
        path, actions = [root], array("q", [-1] * WORLDS)
        root.visits += 1
        while worlds.age(world) == age and (legal := worlds.legal_actions(world)):
            node = path[-1]
            if not node.children and node is not root and node.visits < OPEN_AFTER:
                break
            if not any(action in node.children for action in legal):
                self.look(node, worlds, world, legal)
            action = self.select(node, legal)
            actions[world] = action
            worlds.step(actions)
            path.append(node.children[action])
            node.children[action].visits += 1
        return path

    def look(self, node: TreeNode, worlds: Batch, world: int, legal: Sequence[int]) -> None:
        """Evaluate what each action leads to, and keep the best few."""
        node.seat = worlds.to_act()[world]
        after = worlds.take([world] * len(legal))
        after.step(legal)
        values = [one[node.seat] for one in self.values(after)]
        for value, action in sorted(zip(values, legal, strict=True), reverse=True)[:WIDTH]:
            node.first_sight[action] = value
            node.children[action] = TreeNode()

    def select(self, node: TreeNode, legal: Sequence[int]) -> int:
        """Return the most appealing of the actions that are legal in this world."""
        possible = [action for action in legal if action in node.children]
        for action in possible:
            node.children[action].available += 1
        return max(possible, key=node.appeal)

    def outcomes(self, worlds: Batch) -> list[list[float]]:
        """Play the age out in each world and return the values, by world and seat."""
        worlds.end_age(self.random.getrandbits(32))
        return self.values(worlds)

    def values(self, batch: Batch) -> list[list[float]]:
        """Return the warlord's evaluation by game and seat: the lead in points now and later."""
        seats, size = batch.seats, len(FEATURES)
        numbers = array("i", bytes(4 * batch.size * seats * size))
        batch.judge_into(numbers)
        found = []
        for at in range(0, len(numbers), seats * size):
            worth = [prospects(numbers[k : k + size]) for k in range(at, at + seats * size, size)]
            total = sum(worth)
            found.append([(own - (total - own) / (seats - 1)) / MUCH for own in worth])
        return found


def prospects(seen: Sequence[int]) -> float:
    """Return a seat's points now, and a share of those to come."""
    left = LAST_AGE - seen[AGE]
    unused = left + (2 if seen[PHASE] == CHOOSING else 1)
    return seen[SCORE] + seen[NOW] + LATER * left * seen[AFTER] / unused + A_CARD * seen[HAND]
