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

from arena.tournaments.models import State, Tournament
from arena.tournaments.selectors import options_of
from contests.formats.entities import FormatError
from contests.formats.standings import TIE_BREAKS
from engine.rulesets import EDITIONS, ruleset

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
_CLOCK_FIELDS = ("startup_ms", "bank_ms", "increment_ms", "decision_ms")


class TournamentForm(forms.ModelForm):
    edition = forms.ChoiceField(
        label=_("Edition"), choices=[(name, name.replace("_", " ").capitalize()) for name in EDITIONS]
    )
    clock = forms.ChoiceField(label=_("Clock"), choices=[(name, one[0]) for name, one in CLOCKS.items()])
    tie_breaks = forms.CharField(
        label=_("Tie-breaks, in order of importance"),
        help_text=_("Any of: %s") % ", ".join(TIE_BREAKS),
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
            "lock_at": forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        }
        help_texts = {
            "live_delay": _("Spectators see matches and results this much later, up to 3600 seconds."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["tie_breaks"] = " ".join(self.instance.tie_breaks)
        if self.instance.pk:
            self.initial["edition"] = self.instance.ruleset.get("name")
            values = tuple(self.instance.clocks.get(name) for name in _CLOCK_FIELDS)
            self.initial["clock"] = next((key for key, one in CLOCKS.items() if one[1] == values), "standard")
        else:
            self.initial["clock"] = "standard"
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

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the fields in the groups of the page; a field that is in no group comes last."""
        found = [(str(name), [self[field] for field in fields]) for name, fields in GROUPS]
        named = {field for _name, fields in GROUPS for field in fields}
        found[-1][1].extend(self[field] for field in self.fields if field not in named)
        return found

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
