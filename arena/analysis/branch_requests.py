"""What browsers send to the analysis board, checked field by field: all of it is hostile until then."""

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from arena.analysis.positions import MOST_ACTIONS
from arena.bots.errors import RefusedError
from engine.actions import END

LONGEST_BODY = 10_000
LARGEST_NUMBER = 10_000


@dataclass(frozen=True)
class AskedBranch:
    """Where somebody leaves a match, by a number of actions or a step of the viewer, and their actions."""

    number: int | None
    step: tuple[int, int]
    actions: list[int]
    rest: dict[str, Any]


def read_branch(request: HttpRequest) -> AskedBranch:
    """Read {"number": or "step": "12.1", "actions": [..], ...}; a RefusedError says what is wrong."""
    if len(request.body) > LONGEST_BODY:
        raise RefusedError("invalid", _("The request is too long."))
    try:
        data: Any = json.loads(request.body)
    except (ValueError, RecursionError):
        raise RefusedError("invalid", _("Send a JSON object.")) from None
    if not isinstance(data, dict):
        raise RefusedError("invalid", _("Send a JSON object."))
    actions = data.get("actions", [])
    if not isinstance(actions, list) or not all(is_number(one, END) for one in actions):
        raise RefusedError("invalid", _("“actions” must be a list of actions, which are whole numbers."))
    if len(actions) > MOST_ACTIONS:
        raise RefusedError("invalid", _("A variation has at most {most} actions.").format(most=MOST_ACTIONS))
    number = data.get("number")
    if number is not None and not is_number(number, LARGEST_NUMBER):
        raise RefusedError("invalid", _("“number” must be a number of actions."))
    return AskedBranch(number, read_step(data.get("step", "0")), actions, data)


def read_step(text: Any) -> tuple[int, int]:
    """Read a step as the viewer writes it: 12, or 12.1."""
    step, _dot, sub = text.partition(".") if isinstance(text, str) and len(text) <= 12 else ("?", "", "")
    parts = (step, sub or "0")
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise RefusedError("invalid", _("“step” must be a step of the replay, such as 12 or 12.1."))
    return int(parts[0]), int(parts[1])


def is_number(value: Any, end: int) -> bool:
    return type(value) is int and 0 <= value < end


def whole(data: dict[str, Any], name: str, default: int) -> int:
    value = data.get(name, default)
    if not is_number(value, LARGEST_NUMBER):
        raise RefusedError("invalid", _("“{name}” must be a whole number.").format(name=name))
    return int(value)


def texts(data: dict[str, Any], name: str) -> list[str]:
    value = data.get(name)
    if not isinstance(value, list) or len(value) > 4 or not all(isinstance(one, str) for one in value):
        raise RefusedError("invalid", _("“{name}” must be a list of names.").format(name=name))
    return value


def short_text(data: dict[str, Any], name: str, longest: int) -> str:
    value = data.get(name, "")
    if not isinstance(value, str) or len(value) > longest or not value.isprintable():
        raise RefusedError(
            "invalid",
            _("“{name}” must be a text of at most {most} printable characters.").format(
                name=name, most=longest
            ),
        )
    return value
