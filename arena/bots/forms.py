"""What people fill in about bots."""

from django import forms
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _

from arena.bots.models import Bot

RESERVED = {"new", "mine", "house"}


class BotForm(forms.ModelForm):
    class Meta:
        model = Bot
        fields = ("name", "slug", "description", "activates_itself")
        widgets = {
            "description": forms.Textarea(attrs={"rows": 5}),
            "slug": forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
        }
        help_texts = {
            "slug": _("Small letters, digits and hyphens. It cannot be changed later."),
            "description": _("Shown on the bot's page, as plain text."),
        }

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug in RESERVED:
            raise forms.ValidationError(_("This address is taken."), code="unique")
        return slug


class BotEditForm(BotForm):
    slug = None
    clean_slug = None  # type: ignore[assignment]


class UploadForm(forms.Form):
    archive = forms.FileField(
        label=_("File"),
        allow_empty_file=True,  # told apart and explained by the service
        help_text=_("A zip archive with bot.toml at its top, or a single .py file; 20 MiB at most."),
        widget=forms.ClearableFileInput(attrs={"accept": ".zip,.py"}),
    )


class ReasonForm(forms.Form):
    """Staff says why, to the author and to the audit log."""

    reason = forms.CharField(
        label=_("Reason, as the author will read it"),
        widget=forms.Textarea(attrs={"rows": 3}),
        validators=[MaxLengthValidator(500)],
    )
