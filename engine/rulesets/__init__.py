"""The editions of the rules as sets of named options. One file per edition; options can be mixed freely."""

from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from importlib import import_module
from typing import Any, Final

from engine.errors import RulesetError

EDITIONS: Final = ("english", "german", "german_quick", "italian", "french")

VERSION: Final = 2
"""The version of the rules that this engine plays, in every edition: a new one whenever games could change.

1: at most one Eagle and Jaguar Warriors per turn; French counters moved on in the end tally too.
2: any number of Eagle and Jaguar Warriors per turn; in the end tally counters stack.
"""

CHOICES: Final = {
    "tie": ("lowest", "top"),
    "landing": ("stack", "next_free"),
    "rafts": ("pair", "all_lakes"),
    "eagle": ("any", "placed"),
    "offerings": ("new_set", "one_set"),
    "empty_deck": ("reshuffle", "no_draw"),
}


@dataclass(frozen=True, slots=True)
class Ruleset:
    """What the editions disagree on.

    tie: of equal scores, the counter furthest down (`lowest`) or on `top` of the stack wins.
    landing: in the Scoring of an age, a counter that lands on others goes on top (`stack`), or on to the
        `next_free` space, with the points for it. In the end tally counters always stack.
    rafts: a Rafts and Canoes card joins one `pair` of shore territories, or the seat's shores of `all_lakes`.
    eagle: each Eagle pawn goes to `any` territory, or to one where the seat has `placed` a pawn in this age.
    offerings: a sixth Offering begins a `new_set`, or counts only as a card (`one_set`).
    empty_deck: the discard is `reshuffle`d when the deck is used up, or there is `no_draw`.
    """

    name: str
    tie: str = "lowest"
    landing: str = "stack"
    rafts: str = "pair"
    eagle: str = "any"
    offerings: str = "new_set"
    empty_deck: str = "reshuffle"

    def __post_init__(self) -> None:
        for option, choices in CHOICES.items():
            if getattr(self, option) not in choices:
                raise RulesetError(
                    f"option {option} is {getattr(self, option)!r}; it can be {' or '.join(choices)}"
                )

    def options(self) -> dict[str, str]:
        """All of it as plain data, the name included."""
        return asdict(self)


@cache
def ruleset(name: str = "english", **overrides: str) -> Ruleset:
    """An edition by name, with single options changed where wanted (it is then called `name+`)."""
    if name not in EDITIONS:
        raise RulesetError(f"no edition {name!r}; there are {', '.join(EDITIONS)}")
    edition: Ruleset = import_module(f"{__name__}.{name}").RULESET
    return (
        ruleset_from_options({**edition.options(), "name": name + "+", **overrides}) if overrides else edition
    )


def ruleset_from_options(options: Any) -> Ruleset:
    """The reverse of `Ruleset.options`; every option must be named: a record must not depend on defaults."""
    known = {field.name for field in fields(Ruleset)}
    if not isinstance(options, dict) or set(options) != known:
        raise RulesetError(f"a ruleset names exactly these options: {', '.join(sorted(known))}")
    if not isinstance(options["name"], str) or len(options["name"]) > 40:
        raise RulesetError("a ruleset's name is a text of at most 40 characters")
    return replace(Ruleset("new"), **options)
