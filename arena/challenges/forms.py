"""The form of a challenge. Bots are typed in, as a list would have thousands of them."""

from typing import Any

from django import forms
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy as _

from arena.accounts.models import User
from arena.bots.models import Bot, Status, Version
from arena.bots.selectors import bots_for, playable_bots
from arena.matches.editions import edition_choices


class ChallengeForm(forms.Form):
    bot = forms.ModelChoiceField(
        Bot.objects.none(), label=_("Your bot"), to_field_name="slug", empty_label=None
    )
    version_number = forms.IntegerField(
        label=_("Version"),
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        help_text=_("Leave empty for the active version."),
    )
    opponents = forms.CharField(
        label=_("Opponents"),
        max_length=200,
        help_text=_(
            "The addresses of one to three bots, separated by spaces, for example: house-greedy jaguar"
        ),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    edition = forms.ChoiceField(label=_("Edition"), choices=edition_choices)
    duplicate = forms.BooleanField(
        label=_("Duplicate set"),
        required=False,
        help_text=_("One match per rotation of the seats, all from one seed. This takes out the luck."),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        able = Version.objects.filter(bot=OuterRef("pk"), status__in=[Status.VALIDATED, Status.ACTIVE])
        bots = bots_for(user).filter(Exists(able))
        self.fields["bot"].queryset = bots.order_by("name")  # type: ignore[attr-defined]  # a choice of rows

    def clean_opponents(self) -> list[Bot]:
        slugs = self.cleaned_data["opponents"].replace(",", " ").split()
        if not 1 <= len(slugs) <= 3:
            raise forms.ValidationError(_("Choose one to three opponents."), code="seats")
        found = {bot.slug: bot for bot in playable_bots().filter(slug__in=slugs)}
        if missing := [slug for slug in slugs if slug not in found]:
            raise forms.ValidationError(
                _("There is no bot “%(slug)s” that can play."), code="missing", params={"slug": missing[0]}
            )
        return [found[slug] for slug in slugs]
