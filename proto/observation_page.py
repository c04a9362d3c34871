"""Write docs/observation.md: every field with its type, its meaning from its docstring, and an example."""

import ast
import random
from dataclasses import fields
from itertools import pairwise

from engine.boardfile import load_board
from engine.observation import Observation, observe
from engine.position import CONFLICT
from engine.rulesets import ruleset
from engine.state import State
from proto.descriptors import ROOT

PAGE = ROOT / "docs" / "observation.md"
SOURCE = ROOT / "engine" / "observation.py"
HEAD = """\
<!-- Written by `make docs` from engine/observation.py: change that. -->
# The observation

Everything that your seat may know at a moment, and nothing else. The same fields come in Python
(`observation.pawns`), in [JSON lines](json-lines.md) and in the [protocol](protocol.md#observation). Seats,
sides, territories and cards are numbers from 0 (power cards from 4); -1 stands for what you may not know.
Points and pawns are counted in ones; sets of territories are bit masks, with bit t for territory t. In Python
`phase` counts from 0 (choosing), in the other forms from 1.

The examples are from one position, a conflict of two seats in the first age; long lists are cut.

| field | type | meaning | example |
|---|---|---|---|
"""


def meanings() -> dict[str, str]:
    """Return the docstring below each field of Observation; only the source has them."""
    tree = ast.parse(SOURCE.read_text("utf-8"))
    [body] = [
        node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Observation"
    ]
    return {
        field.target.id: " ".join(text.value.value.split())
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }


def example() -> Observation:
    """Return the observation of a conflict: the same one each time."""
    dice, state = random.Random(1), State.new(2, bytes(32), ruleset(), load_board())
    while state.phase != CONFLICT:
        state.apply(dice.choice(state.legal_actions()))
    return observe(state, state.actor)


def page() -> str:
    """Return the whole page."""
    meaning, seen = meanings(), example()
    rows = []
    for field in fields(Observation):
        value = getattr(seen, field.name)
        shown = (
            f"[{', '.join(map(str, value[:6]))}, ...]"
            if isinstance(value, list) and len(value) > 8
            else value
        )
        kind = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", str(field.type))
        kind = "list[int]" if kind == "list" else kind
        rows.append(f"| `{field.name}` | `{kind}` | {meaning[field.name]} | `{shown}` |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
