"""Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012) over batches of worlds.

One tree for all worlds that the bot cannot tell apart. Each simulation deals a new world, walks down the
actions that are legal in it, plays the age out, and tells every node on its way how the seats fared. A node
belongs to the seat that acts there, which likes what is good for itself. Because a world may not allow an
action, it is counted how often each was *available*: that takes the place of the parent's visits in UCB1.

At the root all actions are tried in the same worlds with the same luck, because luck moves far more points
than one action does: what differs between two actions in one world is mostly the actions' own doing.

This is the form to read, and to use without a C compiler; `engine.kernel.search.Search` does the same faster.
"""

import math
import random
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from aztlan.bot import Match
from aztlan.house.settler import A_CARD
from aztlan.house.warlord import LATER
from aztlan.house.worlds import deal_worlds
from aztlan.kernel import FEATURES, Batch
from aztlan.rules import CHOOSING, LAST_AGE, Observation

ROOT, WIDTH = 12, 6
"""How many actions of the root and of other nodes are tried: the best at first sight, of thirty or more."""
LOOKS = 8
"""In how many worlds the root's actions are looked at first: any single one hides some of the good ones."""
TRUST = 20.0
"""How many visits the first sight of an action counts as."""
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

    def appeal(self, action: int, curiosity: float) -> float:
        """Return UCB1 over the times an action was available, including its first sight."""
        child = self.children[action]
        mean = (child.total + TRUST * self.first_sight[action]) / (child.visits + TRUST)
        return mean + curiosity * math.sqrt(math.log(child.available + 1) / (child.visits + TRUST))


class TreeSearch:
    """A tree that grows from one observation, judged by the warlord's formula or by a network."""

    def __init__(
        self, seen: Observation, match: Match, curiosity: float, network: bytes | None, open_after: int
    ) -> None:
        self.seen, self.match, self.curiosity, self.network = seen, match, curiosity, network
        self.open_after = open_after
        self.random, self.root = random.Random(0), TreeNode()

    def simulate(
        self, worlds: int, seed: int, among: Sequence[int] | None = None
    ) -> list[tuple[int, int, float]]:
        """Try actions in so many more worlds, the same for each; return them with visits and mean values."""
        self.random.seed(seed)
        dealt, luck = deal_worlds(self, self.seen, worlds), self.random.getrandbits(32)
        if not self.root.children:
            self.look(self.root, deal_worlds(self, self.seen, LOOKS), range(LOOKS), ROOT)
        chosen = self.root.children if among is None else among
        for action in chosen:
            self.try_out(action, dealt.clone(), luck)
        nodes = [(action, self.root.children[action]) for action in chosen]
        return [(action, node.visits, node.total / node.visits) for action, node in nodes]

    def try_out(self, action: int, worlds: Batch, luck: int) -> None:
        """Simulate what follows an action in each world."""
        worlds.step([action] * worlds.size)
        paths = [self.walk(self.root.children[action], worlds, i) for i in range(worlds.size)]
        ended = [worlds.age(i) != self.seen.age for i in range(worlds.size)]
        here = self.values(worlds)
        worlds.end_age(luck)  # which in a world that is in the next age already plays that one
        later = self.values(worlds)
        for i, path in enumerate(paths):
            values = here[i] if ended[i] else later[i]
            for parent, child in pairwise(path):
                child.visits += 1
                child.total += values[parent.seat]

    def walk(self, first: TreeNode, worlds: Batch, world: int) -> list[TreeNode]:
        """Walk down the tree in one world; return the way, which ends in a node that is yet to be opened."""
        path, actions = [self.root, first], array("q", [-1] * worlds.size)
        while worlds.age(world) == self.seen.age and (legal := worlds.legal_actions(world)):
            node = path[-1]
            if not node.children and node.visits < self.open_after:
                break
            if not any(action in node.children for action in legal):
                self.look(node, worlds, [world], WIDTH)
            actions[world] = action = self.select(node, legal)
            worlds.step(actions)
            path.append(node.children[action])
        return path

    def look(self, node: TreeNode, worlds: Batch, among: Sequence[int], width: int) -> None:
        """Evaluate what each action leads to, on average over some of the worlds, and keep the best few."""
        node.seat, legal = worlds.to_act()[among[0]], worlds.legal_actions(among[0])
        after = worlds.take([world for _ in legal for world in among])
        after.step([action for action in legal for _ in among])
        values, looks = [one[node.seat] for one in self.values(after)], len(among)
        means = [sum(values[i : i + looks]) / looks for i in range(0, len(values), looks)]
        for value, action in sorted(zip(means, legal, strict=True), reverse=True)[:width]:
            node.first_sight[action] = value
            node.children[action] = TreeNode()

    def select(self, node: TreeNode, legal: Sequence[int]) -> int:
        """Return the most appealing of the actions that are legal in this world."""
        possible = [action for action in legal if action in node.children]
        for action in possible:
            node.children[action].available += 1
        return max(possible, key=lambda action: node.appeal(action, self.curiosity))

    def values(self, batch: Batch) -> list[list[float]]:
        """Return what the positions are worth, by game and seat."""
        seats, size = batch.seats, len(FEATURES)
        if self.network:
            found = array("f", bytes(4 * batch.size * seats))
            batch.foretell_into(found, self.network)
            return [found[i : i + seats].tolist() for i in range(0, len(found), seats)]
        numbers = array("i", bytes(4 * batch.size * seats * size))
        batch.judge_into(numbers)
        return [leads(numbers[at : at + seats * size]) for at in range(0, len(numbers), seats * size)]


def leads(numbers: Sequence[int]) -> list[float]:
    """Return each seat's lead in points now and later, over the others' mean: the warlord's evaluation."""
    size = len(FEATURES)
    worth = [prospects(numbers[at : at + size]) for at in range(0, len(numbers), size)]
    total = sum(worth)
    return [(own - (total - own) / (len(worth) - 1)) / MUCH for own in worth]


def prospects(seen: Sequence[int]) -> float:
    """Return a seat's points now, and a share of those to come."""
    left = LAST_AGE - seen[AGE]
    unused = left + (2 if seen[PHASE] == CHOOSING else 1)
    return seen[SCORE] + seen[NOW] + LATER * left * seen[AFTER] / unused + A_CARD * seen[HAND]
