"""The forms of teams."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from arena.accounts.models import User
from arena.accounts.usernames import USERNAME

SPELLED = {"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}


class TeamForm(forms.Form):
    name = forms.CharField(
        label=_("Name of the team"),
        max_length=30,
        validators=[USERNAME],
        help_text=_("2 to 30 letters, digits, - and _. It is public."),
        widget=forms.TextInput(attrs=SPELLED),
    )


class InviteForm(forms.Form):
    person = forms.CharField(
        label=_("Name of the person"), max_length=150, widget=forms.TextInput(attrs=SPELLED)
    )


class MoveForm(forms.Form):
    to = forms.ModelChoiceField(
        User.objects.none(), label=_("New owner"), to_field_name="username", empty_label=None
    )

    def __init__(self, owners: list[User], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"].queryset = User.objects.filter(pk__in=[one.pk for one in owners]).order_by(  # type: ignore[attr-defined]  # a choice of rows
            "is_team", "username"
        )


class TeamDeletionForm(forms.Form):
    """Asks for the name of the team that is to be deleted, so that nobody does it by accident."""

    name = forms.CharField(
        label=_("Name of the team, to confirm"), max_length=150, widget=forms.TextInput(attrs=SPELLED)
    )

    def __init__(self, team: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.team = team

    def clean_name(self) -> str:
        if self.cleaned_data["name"] != self.team.username:
            raise forms.ValidationError(_("This is not the name of the team."), code="name")
        return str(self.cleaned_data["name"])
