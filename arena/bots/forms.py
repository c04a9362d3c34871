"""The forms of bots."""

import unicodedata
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from arena.accounts.models import User
from arena.accounts.permissions import accounts_of
from arena.bots.models import Bot
from workers.archives import archive_limits

RESERVED = {"new", "mine", "house"}


class BotEditForm(forms.ModelForm):
    """Everything but the address, which others may have linked to."""

    class Meta:
        model = Bot
        fields: tuple[str, ...] = ("name", "description", "activates_itself", "only_when_better")
        widgets = {
            "description": forms.Textarea(attrs={"rows": 5}),
            "slug": forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
        }
        help_texts = {
            "slug": _("Lower-case letters, digits and hyphens. It cannot be changed later."),
            "description": _("Shown on the bot's page, as plain text."),
        }

    def clean_name(self) -> str:
        return unicodedata.normalize("NFC", self.cleaned_data["name"])


class BotForm(BotEditForm):
    """A new bot, of the author or of one of their teams."""

    owner = forms.ModelChoiceField(
        User.objects.none(), label=_("Owner"), to_field_name="username", required=False, empty_label=None
    )

    class Meta(BotEditForm.Meta):
        fields = ("name", "slug", "description", "activates_itself", "only_when_better")

    def __init__(self, person: User, *args: Any, **kwargs: Any) -> None:
        """Offer the teams of somebody who is in one."""
        super().__init__(*args, **kwargs)
        self.person = person
        owners = User.objects.filter(pk__in=accounts_of(person), is_active=True).order_by(
            "is_team", "username"
        )
        self.fields["owner"].queryset = owners  # type: ignore[attr-defined]  # a choice of rows
        if len(owners) < 2:
            del self.fields["owner"]

    def clean(self) -> dict[str, Any]:
        super().clean()
        return {**self.cleaned_data, "owner": self.cleaned_data.get("owner") or self.person}

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug in RESERVED:
            raise forms.ValidationError(_("This address is taken."), code="unique")
        return slug


class UploadForm(forms.Form):
    archive = forms.FileField(
        label=_("File"),
        allow_empty_file=True,  # the service refuses it with an explanation
        help_text=format_lazy(
            _("A zip archive with bot.toml at the top, or a single .py file, up to {most} MiB."),
            most=archive_limits.ARCHIVE // archive_limits.MIB,
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".zip,.py"}),
    )
    only_when_better = forms.BooleanField(
        label=_("Play it only when it is better"),
        required=False,
        help_text=_(
            "It first plays unrated sets against the active version, and takes its place only once it has "
            "proved better. This also applies to later versions, until you change it."
        ),
    )
