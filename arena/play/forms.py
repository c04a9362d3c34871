"""The forms that open a table, at the arena or in the browser alone."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from arena.bots.models import Version
from arena.bots.selectors import playable_bots
from arena.matches.editions import edition_choices
from arena.play.models import OnLeaving, Pace

FRIEND = "friend"
OTHER = "other"
OFFLINE_OPPONENTS = ("random", "greedy", "settler", "warlord")
"""The house bots that answer at once in a browser, as in `aztlan.in_browser`, from the weakest."""


class OfflineForm(forms.Form):
    """A game in the browser alone. It is never sent: the page's script reads it."""

    first = forms.ChoiceField(label=_("Opponent"))
    second = forms.ChoiceField(label=_("Second opponent"), required=False)
    third = forms.ChoiceField(label=_("Third opponent"), required=False)
    edition = forms.ChoiceField(label=_("Edition"), choices=edition_choices)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        bots = [(name, _("House {name}").format(name=name)) for name in OFFLINE_OPPONENTS]
        for name in ("first", "second", "third"):
            nobody = [] if name == "first" else [("", _("Nobody"))]
            self.fields[name].choices = [*nobody, *bots]  # type: ignore[attr-defined]  # a choice


class TableForm(forms.Form):
    """Who sits at the table besides the person who opens it, and how they play."""

    first = forms.ChoiceField(label=_("Opponent"))
    second = forms.ChoiceField(label=_("Second opponent"), required=False)
    third = forms.ChoiceField(label=_("Third opponent"), required=False)
    other = forms.CharField(
        label=_("Address of another bot"),
        required=False,
        max_length=40,
        help_text=_("If you chose “another bot”: its address, as in the list of bots."),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    edition = forms.ChoiceField(label=_("Edition"), choices=edition_choices)
    pace = forms.TypedChoiceField(label=_("Pace"), choices=Pace.choices, coerce=int, initial=Pace.NORMAL)
    on_leaving = forms.ChoiceField(label=_("If somebody leaves"), choices=OnLeaving.choices)
    has_hints = forms.BooleanField(
        label=_("Allow hints"),
        required=False,
        initial=True,
        help_text=_("Only against bots. A game in which you took a hint is not counted among your results."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        bots = playable_bots().filter(is_house=True).order_by("pk")
        house = [(bot.slug, bot.name) for bot in bots]
        choices = [*house, (FRIEND, _("A friend, by a link")), (OTHER, _("Another bot"))]
        for name in ("first", "second", "third"):
            nobody = [] if name == "first" else [("", _("Nobody"))]
            self.fields[name].choices = [*nobody, *choices]  # type: ignore[attr-defined]  # a choice

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        chosen = [str(data[name]) for name in ("first", "second", "third") if data.get(name)]
        slugs = {data.get("other", "") if one == OTHER else one for one in chosen if one != FRIEND}
        found = {bot.slug: bot.active_version for bot in playable_bots().filter(slug__in=slugs)}
        opponents: list[Version | None] = []
        for one in chosen:
            slug = str(data.get("other", "")) if one == OTHER else one
            if one != FRIEND and slug not in found:
                self.add_error("other", _("There is no bot “%s” that can play.") % slug)
                return data
            opponents.append(None if one == FRIEND else found[slug])
        data["opponents"] = opponents
        return data
