"""The forms of an account."""

from typing import Any

from allauth.account.forms import ReauthenticateForm
from allauth.core import context as current
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.base.forms import ReauthenticateForm as ReauthenticateByCodeForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import (
    AuthenticationForm,
    BaseUserCreationForm,
    PasswordChangeForm,
    PasswordResetForm,
    SetPasswordForm,
)
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from arena.accounts import limits, services
from arena.accounts.models import ApiToken, Scope, User
from arena.accounts.permissions import may_have_scope
from arena.accounts.usernames import RESERVED_NAMES, USERNAME


class SignUpForm(BaseUserCreationForm):
    class Meta(BaseUserCreationForm.Meta):
        model = User
        fields = ("username", "email")
        field_classes = {"username": forms.CharField}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        username = self.fields["username"]
        username.validators.append(USERNAME)
        username.help_text = _("2 to 30 letters, digits, - and _. It is public.")
        username.widget.attrs |= {"autocomplete": "username", "autocapitalize": "none", "maxlength": 30}
        self.fields["email"].help_text = _(
            "For password resets and, if you like, notices. It is never shown to others."
        )
        self.fields["email"].widget.attrs["autocomplete"] = "email"
        self.fields["password1"].help_text = _("At least 8 characters, and not a common password.")
        self.fields["password2"].label = _("Repeat the password")
        self.fields["password2"].help_text = ""

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        if username.casefold() in RESERVED_NAMES or User.objects.filter(username__iexact=username).exists():
            raise ValidationError(_("This name is taken."), code="unique")
        return username

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if User.objects.filter(email__iexact=email).exists():
            raise ValidationError(_("This e-mail address is taken."), code="unique")
        return email


class SignInForm(AuthenticationForm):
    """Django's form, with a rate limit against guessing."""

    def clean(self) -> dict[str, Any]:
        username = self.cleaned_data.get("username")
        password = self.cleaned_data.get("password")
        if username and password and self.request is not None:
            try:
                user = services.check_password(self.request, username, password)
            except limits.LimitError as error:
                raise ValidationError(str(error), code="limit") from None
            if user is None:
                raise self.get_invalid_login_error()
            self.confirm_login_allowed(user)
            self.user_cache = user
        return self.cleaned_data


class StaffSignInForm(SignInForm, AdminAuthenticationForm):
    """The same for the administration, which only staff may enter."""


def keep_tokens_field() -> forms.BooleanField:
    return forms.BooleanField(
        label=_("Keep my API tokens"),
        required=False,
        help_text=_("Otherwise they are revoked, as anybody who knew the old password may have created one."),
    )


class PasswordForm(PasswordChangeForm):
    """Django's form, with a rate limit against guessing at somebody's open browser."""

    keep_tokens = keep_tokens_field()

    def __init__(self, session: str, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.session = session

    def clean_old_password(self) -> str:
        count_old_password(self.session)
        return str(super().clean_old_password())


def count_old_password(session: str) -> None:
    """Count the try for this browser alone: its owner can still change the password elsewhere."""
    try:
        limits.spend("old-password", session)
    except limits.LimitError as error:
        raise ValidationError(str(error), code="limit") from None


class ConfirmForm(ReauthenticateForm):
    """allauth's form, in which people confirm by their password who they are, with our rate limit."""

    def clean_password(self) -> str:
        count_old_password(current.request.session.session_key or "")
        return str(super().clean_password())


class CodeForm(AuthenticateForm):
    """allauth's form for a code of a second factor, with our rate limit against guessing."""

    def clean_code(self) -> str:
        try:
            limits.spend("second-factor", self.user.pk)
        except limits.LimitError as error:
            raise ValidationError(str(error), code="limit") from None
        code = str(super().clean_code())
        limits.forgive("second-factor", self.user.pk)
        return code


class ConfirmByCodeForm(CodeForm, ReauthenticateByCodeForm):
    """The same, to confirm who one is."""

    save = ReauthenticateByCodeForm.save


class PasskeyForm(AddWebAuthnForm):
    """allauth's form, whose keys are passkeys unless somebody wants a mere second factor."""

    name = forms.CharField(label=_("Name"), max_length=60, required=False)
    passwordless = forms.BooleanField(
        label=_("Sign in with it alone, without the password"),
        required=False,
        initial=True,
        help_text=_("Otherwise it is a second factor, asked for after the password."),
    )


class NewPasswordForm(SetPasswordForm):
    """The form behind the link in a reset e-mail."""

    keep_tokens = keep_tokens_field()


class ResetForm(PasswordResetForm):
    """Django's form, with a rate limit against flooding a mailbox."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail address")
        self.request = request

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        try:
            services.ask_for_reset(self.request, email)
        except limits.LimitError as error:
            raise ValidationError(str(error), code="limit") from None
        return email


class ProfileForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ("about", "mails_notices")
        widgets = {"about": forms.Textarea(attrs={"rows": 4})}
        help_texts = {"about": _("Shown on your public page, as plain text.")}


class EmailForm(forms.ModelForm):
    """Asks for the password: an unattended browser must not be enough to take over an account."""

    password = forms.CharField(
        label=_("Your password"),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        strip=False,
    )

    class Meta:
        model = User
        fields = ("email",)

    def __init__(self, session: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.session = session

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        count_old_password(self.session)
        if not self.instance.check_password(password):
            raise ValidationError(_("This password is wrong."), code="password")
        return password


class TokenForm(forms.ModelForm):
    class Meta:
        model = ApiToken
        fields = ("name",)
        help_texts = {"name": _("Where you will use it, for example “laptop”.")}

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        """Offer the scopes that the person may have."""
        super().__init__(*args, **kwargs)
        offered = [(value, label) for value, label in Scope.choices if may_have_scope(user, value)]
        self.fields["scopes"] = forms.MultipleChoiceField(
            label=_("Permissions"),
            choices=offered,
            required=False,
            widget=forms.CheckboxSelectMultiple,
            initial=[Scope.PRIVATE, Scope.BOTS, Scope.MATCHES],
            help_text=_("Every token can read public data."),
        )


class LeaveForm(forms.Form):
    """Asks for the name of the account that is to be deleted, so that nobody does it by accident."""

    username = forms.CharField(label=_("Your name, to confirm"), max_length=150)

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["username"].widget.attrs |= {"autocomplete": "off", "autocapitalize": "none"}

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        if username != self.user.username:
            raise ValidationError(_("This is not the name of your account."), code="name")
        return username
