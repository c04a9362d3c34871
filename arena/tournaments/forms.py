"""The form of a tournament."""

from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django import forms
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.matches.editions import edition_choices
from arena.tournaments.models import FORMAT_NAMES, State, Tournament
from arena.tournaments.selectors import options_of
from arena.tournaments.tie_breaks import TieBreakOrder, moved
from contests.formats.entities import FormatError
from contests.formats.standings import TIE_BREAKS
from engine.rulesets import ruleset

CLOCKS = {
    "blitz": (_("Blitz: 10 s plus 0.1 s per decision"), (10_000, 10_000, 100, 2_000)),
    "standard": (_("Standard: 60 s plus 0.5 s per decision"), (10_000, 60_000, 500, 10_000)),
    "long": (_("Long: 5 min plus 2 s per decision"), (20_000, 300_000, 2_000, 60_000)),
}
GROUPS = (
    (_("The event"), ("name", "description", "seats", "edition", "clock")),
    (_("How it is played"), ("format", "rounds", "advance", "group_size", "from_group", "cycles", "best_of",
                             "duplicate", "tie_breaks")),
    (_("Who may enter"), ("ladder", "min_rating", "min_games", "per_owner", "invitation_only")),
    (_("Schedule and visibility"), ("lock_at", "round_minutes", "rounds_by_hand", "release")),
)  # fmt: skip
FORMAT_TEXTS = {
    "round_robin": _("Everybody meets everybody."),
    "swiss": _("Bots with similar results meet; for many bots in few rounds."),
    "single_elimination": _("A knockout: the best of each table go on."),
    "double_elimination": _("A knockout with a second chance in the lower bracket."),
    "groups": _("A round robin in each group, then a knockout of the best."),
    "gauntlet": _("The first seed meets all others."),
}
OPTIONS_OF = {
    "round_robin": ("rounds", "cycles"),
    "swiss": ("rounds",),
    "single_elimination": ("advance",),
    "double_elimination": ("advance",),
    "groups": ("group_size", "from_group", "cycles", "advance"),
    "gauntlet": (),
}
"""The options that each format reads. The others are not shown, and keep their defaults."""
_NOT_FOR_TWO = {"advance": tuple(OPTIONS_OF), "rounds": ("round_robin",)}
"""Options that these formats do not read with two seats."""
_NEEDS_LADDER = {"min_rating", "min_games"}
_CLOCK_FIELDS = ("startup_ms", "bank_ms", "increment_ms", "decision_ms")


class TournamentForm(forms.ModelForm):
    edition = forms.ChoiceField(label=_("Edition"), choices=edition_choices)
    clock = forms.ChoiceField(label=_("Clock"), choices=[(name, one[0]) for name, one in CLOCKS.items()])
    tie_breaks = forms.CharField(
        label=_("Tie-breaks, in order of importance"),
        widget=TieBreakOrder,
        error_messages={"required": _("Tick at least one tie-break.")},
    )

    time_zone = forms.CharField(widget=forms.HiddenInput, required=False, initial="UTC")
    """The zone of the times in this form: the browser's own, or UTC where scripts are off."""

    class Meta:
        model = Tournament
        fields = [
            "name", "description", "format", "seats", "edition", "clock", "rounds", "advance", "group_size",
            "from_group", "cycles", "best_of", "duplicate", "tie_breaks", "ladder", "min_rating", "min_games",
            "per_owner", "invitation_only", "lock_at", "round_minutes", "rounds_by_hand", "release",
            "live_delay",
        ]  # fmt: skip
        widgets = {
            "description": forms.Textarea(attrs={"rows": 4}),
            "format": forms.RadioSelect,
            "lock_at": forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        }
        help_texts = {
            "live_delay": _("Spectators see matches and results this much later, up to 3600 seconds."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        if isinstance(self.initial["tie_breaks"], list):
            self.initial["tie_breaks"] = " ".join(self.initial["tie_breaks"])
        if self.instance.pk:
            self.initial.setdefault("edition", self.instance.ruleset.get("name"))
            values = tuple(self.instance.clocks.get(name) for name in _CLOCK_FIELDS)
            known = next((key for key, one in CLOCKS.items() if one[1] == values), "standard")
            self.initial.setdefault("clock", known)
        self.initial.setdefault("clock", "standard")
        self.initial["format"] = self.initial.get("format") or "swiss"
        self.fields["format"].choices = [  # type: ignore[attr-defined]  # a choice, with a sentence for each
            (
                name,
                format_html(
                    '<span><b>{}</b> <span class="helptext">{}</span></span>', label, FORMAT_TEXTS[name]
                ),
            )
            for name, label in FORMAT_NAMES.items()
        ]
        self.fields["ladder"].empty_label = gettext("No ladder")  # type: ignore[attr-defined]  # a model's choices
        zone = self["time_zone"].value() or "UTC"
        self.fields["lock_at"].help_text = format_html(
            gettext("In the time zone {}. Leave empty to close entries by hand."),
            format_html("<span data-zone>{}</span>", zone),
        )
        self.closed_before = self.instance.lock_at

    def full_clean(self) -> None:
        """Read times in the zone in which they were entered."""
        with timezone.override(self._zone() or UTC):
            super().full_clean()

    def _clean_fields(self) -> None:
        """Read the fields that are shown. Those that the format does not use get their defaults.

        What a page hides must not be refused.
        """
        super()._clean_fields()  # type: ignore[misc]  # Django's own hook, not in the stubs
        for name in self._unused():
            self._errors.pop(name, None)  # type: ignore[attr-defined]  # as above
            self.cleaned_data[name] = getattr(Tournament(), name)

    def _unused(self) -> set[str]:
        chosen = str(self.cleaned_data.get("format", ""))
        if chosen not in OPTIONS_OF:
            return set()
        unused = {name for names in OPTIONS_OF.values() for name in names} - set(OPTIONS_OF[chosen])
        if self.cleaned_data.get("seats") == 2:
            unused |= {name for name, formats in _NOT_FOR_TWO.items() if chosen in formats}
        if "ladder" in self.cleaned_data and self.cleaned_data["ladder"] is None:
            unused |= _NEEDS_LADDER
        return unused

    def sorted_by(self, move: str) -> "TournamentForm":
        """Return the form as it was filled in, not yet checked, with one tie-break moved."""
        values = {
            name: field.widget.value_from_datadict(self.data, self.files, self.add_prefix(name))
            for name, field in self.fields.items()
        }
        chosen = str(values["tie_breaks"] or "").split()
        values["tie_breaks"] = " ".join(moved(chosen, move))
        return TournamentForm(initial=values, instance=self.instance)

    def _zone(self) -> tzinfo | None:
        name = self.data.get(self.add_prefix("time_zone")) or "UTC"
        try:
            return ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return None

    def clean_time_zone(self) -> str:
        if self._zone() is None:
            raise forms.ValidationError(_("This time zone is not supported. Enter the time in UTC."))
        zone: str = self.cleaned_data["time_zone"]
        return zone

    def clean_lock_at(self) -> datetime | None:
        lock_at: datetime | None = self.cleaned_data["lock_at"]
        if lock_at and lock_at <= timezone.now() and not _same_minute(lock_at, self.closed_before):
            raise forms.ValidationError(_("This time has already passed. Choose a later one."))
        return lock_at

    def groups(self) -> list[tuple[str, list[tuple[forms.BoundField, str]]]]:
        """Return the fields in the groups of the page, each with the classes that say when it is shown.

        A field that is in no group comes last.
        """
        found = [(str(name), [self[field] for field in fields]) for name, fields in GROUPS]
        named = {field for _name, fields in GROUPS for field in fields}
        found[-1][1].extend(self[field] for field in self.fields if field not in named)
        return [(name, [(field, shown_for(field.name)) for field in fields]) for name, fields in found]

    def clean_tie_breaks(self) -> list[str]:
        names: list[str] = self.cleaned_data["tie_breaks"].replace(",", " ").split()
        unknown = [name for name in names if name not in TIE_BREAKS]
        if unknown or len(set(names)) < len(names) or not names:
            raise forms.ValidationError(
                _("Name each tie-break once. Unknown: %(names)s"), params={"names": ", ".join(unknown) or "–"}
            )
        return names

    def clean_best_of(self) -> int:
        best_of: int = self.cleaned_data["best_of"]
        if not 1 <= best_of <= 21:
            raise forms.ValidationError(_("A series has 1 to 21 games."))
        return best_of

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        if not slugify(name):
            raise forms.ValidationError(_("The name must contain a letter or a digit."))
        others = Tournament.objects.exclude(state=State.CANCELLED).exclude(pk=self.instance.pk)
        if others.filter(name=name).exists():
            raise forms.ValidationError(_("Another tournament has this name."), code="unique")
        return name

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            self.instance.ruleset = ruleset(data["edition"]).options()
            self.instance.clocks = dict(zip(_CLOCK_FIELDS, CLOCKS[data["clock"]][1], strict=True))
        return data

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]  # Django's own hook, not in the stubs
        if self.errors:
            return
        if not self.instance.slug:
            self.instance.slug = free_slug(self.instance.name)
        try:
            options_of(self.instance)
        except FormatError as error:
            self.add_error(None, str(error))


def shown_for(name: str) -> str:
    """Return the classes of a field by which the style sheet shows it for the formats that use it."""
    classes = [f"for-{key}" for key, names in OPTIONS_OF.items() if name in names]
    classes = ["option", *classes] if classes else []
    classes += [f"not-for-two-{key}" for key in _NOT_FOR_TWO.get(name, ()) if name in OPTIONS_OF[key]]
    return " ".join([*classes, *(["needs-ladder"] if name in _NEEDS_LADDER else [])])


def _same_minute(one: datetime, other: datetime | None) -> bool:
    """Return whether two times look the same in the form, which shows minutes."""
    return other is not None and one.replace(second=0, microsecond=0) == other.replace(
        second=0, microsecond=0
    )


def free_slug(name: str) -> str:
    """Return an address made from the name that no tournament has yet."""
    base = slugify(name)[:50] or "tournament"
    taken = set(Tournament.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for slug in (base, *(f"{base}-{n}" for n in range(2, 10_000))) if slug not in taken)
