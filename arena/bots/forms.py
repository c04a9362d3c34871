"""The forms of bots."""

import unicodedata

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

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
    class Meta(BotEditForm.Meta):
        fields = ("name", "slug", "description", "activates_itself", "only_when_better")

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
