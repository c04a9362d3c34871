"""Sentences that are stored for everybody: written in English, and read in the reader's language.

A reason ("Replaced by version 3.") is written once, by a worker or by whoever acts, and read by people of all
languages. So the English sentence is stored, and `retold` recognises it by its template when it is shown.
What a person has typed is shown as it is.
"""

import re
from typing import Any, Final

from django.utils.translation import gettext, override
from django.utils.translation import gettext_noop as _

REPLACED: Final = _("Replaced by version %d.")
FAILED_IN_A_ROW: Final = _("version %(number)d failed in %(count)d matches in a row, last: it %(fault)s.")
BUILD_FAILED: Final = _("The build failed: %s")
FAILED_VALIDATION: Final = _("In the validation match with %(seats)d seats, it %(fault)s: %(reason)s")
HANGS: Final = _("The validation match with %(seats)d seats took longer than %(minutes)d minutes, twice.")
ENTRIES_CLOSED: Final = _("Entries have closed. %s")
NEW_CANDIDATE: Final = _("Version %d took its place as the candidate.")
TOOK_TOO_LONG: Final = _("A match took longer than %d minutes, twice.")
NOT_ACTIVE_ANY_MORE: Final = _("Version %d is no longer the active one.")
CAN_NO_LONGER_PLAY: Final = _("Version %d can no longer play.")
IS_BETTER: Final = _("It is better than version %(old)d.")
GAINS_TOO_LITTLE: Final = _("It does not gain %(elo)d points on version %(old)d.")
NOT_TOLD_APART: Final = _("%(sets)d sets did not tell the two apart.")
FAILS_ALWAYS: Final = _("It failed in every match of its latest sets, last: it %s")

TEMPLATES: Final = tuple(value for name, value in list(globals().items()) if name.isupper())
PLACE = re.compile(r"%(?:\((\w+)\))?[ds]")


def stored(template: str, values: Any) -> str:
    """Return what is stored: the English sentence, with translatable values in English, too."""
    with override("en"):
        return str(template % values)


def retold(sentence: str) -> str:
    """Return a stored sentence in the current language; unchanged where it is not one of ours."""
    for template, pattern in PATTERNS:
        if match := pattern.fullmatch(sentence):
            return fill(gettext(template), dict(zip(names(template), match.groups(), strict=True)))
    return gettext(sentence) if sentence.strip() else sentence


def fill(template: str, values: dict[str | None, str]) -> str:
    return PLACE.sub(lambda place: retold(values[place[1]]), template)


def names(template: str) -> list[str | None]:
    """Return the names of a template's places; a place without a name is the only one."""
    return [place[1] for place in PLACE.finditer(template)]


def pattern_of(template: str) -> re.Pattern[str]:
    literal = PLACE.split(template)[:: PLACE.groups + 1]
    return re.compile("(.*?)".join(map(re.escape, literal)), re.DOTALL)


PATTERNS: Final = [(template, pattern_of(template)) for template in TEMPLATES]
