"""Names of rounds and tables as people read them. Formats name them in English, and so they are stored."""

import re
from collections.abc import Callable
from typing import Final

from django.utils.translation import gettext as _

_PATTERNS: Final[tuple[tuple[re.Pattern[str], Callable[[str], str]], ...]] = (
    (re.compile(r"Round (\d+)"), lambda part: _("Round %s") % part),
    (re.compile(r"Groups, round (\d+)"), lambda part: _("Groups, round %s") % part),
    (re.compile(r"Final, again \((\d+)\)"), lambda part: _("Final, again (%s)") % part),
    (re.compile(r"Group (\w+)"), lambda part: _("Group %s") % part),
    (re.compile(r"()Final"), lambda part: _("Final")),
    (re.compile(r"()Semi-finals"), lambda part: _("Semi-finals")),
    (re.compile(r"()Gauntlet"), lambda part: _("Gauntlet")),
    (re.compile(r"()Upper bracket"), lambda part: _("Upper bracket")),
    (re.compile(r"()Lower bracket"), lambda part: _("Lower bracket")),
)


def round_title(name: str) -> str:
    """Return the name of a round or a table in the reader's language; an unknown one as it is."""
    for pattern, title in _PATTERNS:
        if found := pattern.fullmatch(name):
            return title(found[1])
    return name
