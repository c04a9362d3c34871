"""The pages of an account."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.login import perform_password_login, record_authentication
from allauth.account.models import Login
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView, PasswordResetConfirmView, PasswordResetView
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from arena.accounts import known, limits, services, tokens
from arena.accounts.client_address import client_network
from arena.accounts.forms import (
    EmailForm,
    NewPasswordForm,
    PasswordForm,
    ProfileForm,
    ResetForm,
    SignInForm,
    SignUpForm,
    StaffSignInForm,
    TokenForm,
)
from arena.accounts.models import User
from arena.accounts.permissions import lacks_second_factor
from arena.accounts.requests import AuthorRequest
from arena.accounts.staff import ask_for_second_factor


class SignIn(LoginView):
    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in, or go on to the second factor."""
        user = form.get_user()
        attempt = Login(user=user, redirect_url=self.get_success_url(), email_verification="none")
        answer: HttpResponse = perform_password_login(self.request, {"username": user.username}, attempt)
        return answer


class StaffSignIn(SignIn):
    """The door of the administration, which only staff may enter."""

    authentication_form = StaffSignInForm
    redirect_authenticated_user = False

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if lacks_second_factor(request.user):
            return ask_for_second_factor(request)
        return super().dispatch(request, *args, **kwargs)

    def get_default_redirect_url(self) -> str:
        return reverse("admin:index")


class Reset(PasswordResetView):
    template_name = "accounts/reset.html"
    email_template_name = "accounts/reset_mail.txt"
    subject_template_name = "accounts/reset_subject.txt"
    form_class = ResetForm
    extra_email_context = {"site_url": settings.SITE_URL}

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}


class ResetConfirm(PasswordResetConfirmView):
    template_name = "accounts/reset_confirm.html"
    form_class = NewPasswordForm

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        text = services.follow_new_password(form.user, form.cleaned_data["keep_tokens"])
        messages.success(self.request, text)
        known.remember(self.request, form.user.username.casefold())  # whoever reads these e-mails is known
        return answer


@sensitive_post_parameters("password1", "password2")
def sign_up(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect("home")
    form = SignUpForm(request.POST or None)
    try:
        if request.method == "POST" and (user := new_account(request, form)):
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            record_authentication(request, user, method="password")
            known.remember(request, user.username.casefold())
            welcome(request, user)
            return redirect("my-bots")
    except limits.LimitError as error:
        messages.error(request, str(error))
        form = SignUpForm()  # without a hint about what was entered
    return render(request, "accounts/sign_up.html", {"form": form})


def new_account(request: HttpRequest, form: SignUpForm) -> User | None:
    """Create an account; return None where the form says what is wrong. Raises LimitError."""
    limits.spend(
        "sign-up-try", client_network(request)
    )  # each try reveals which names and addresses are taken
    if not form.is_valid():
        return None
    limits.spend("sign-up", client_network(request))
    try:
        with transaction.atomic():
            user: User = form.save()
            return user
    except IntegrityError:  # two people chose the same name or address at once
        form.add_error(None, _("This name or e-mail address has just been taken."))
        return None


def welcome(request: HttpRequest, user: User) -> None:
    try:
        services.ask_to_confirm(user)
        messages.success(
            request, _("Welcome! We have sent you a link. Open it to confirm your e-mail address.")
        )
    except limits.LimitError as error:  # the page offers to send the link later
        messages.error(request, str(error))


def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm with a button, not with the link itself: mail programs open links on their own."""
    if request.method != "POST":
        return render(request, "accounts/confirm.html")
    if services.confirm_email(token) is None:
        messages.error(request, _("This link is invalid or has expired. Sign in and request a new one."))
        return redirect("settings")
    messages.success(request, _("Your e-mail address has been confirmed."))
    return redirect("my-bots")


@login_required
@require_POST
def confirm_again(request: AuthorRequest) -> HttpResponse:
    try:
        services.ask_to_confirm(request.user)
        messages.success(request, _("We have sent a new link to %s.") % request.user.email)
    except limits.LimitError as error:
        messages.error(request, str(error))
    return redirect("settings")


@login_required
@sensitive_post_parameters()
def settings_page(request: AuthorRequest) -> HttpResponse:
    """Show three forms on one page; the button that was pressed names its form."""
    pressed = request.POST.get("form")
    user = request.user
    session = request.session.session_key or ""
    profile = ProfileForm(request.POST if pressed == "profile" else None, instance=user)
    email = EmailForm(
        session,
        request.POST if pressed == "email" else None,
        instance=User.objects.get(pk=user.pk),
        prefix="email",
    )
    password = PasswordForm(session, user, request.POST if pressed == "password" else None)
    password.fields["old_password"].widget.attrs.pop("autofocus", None)  # it is the last of three forms
    if profile.is_bound and profile.is_valid():
        profile.save()
        messages.success(request, _("Profile saved."))
        return redirect("settings")
    if email.is_bound and email.is_valid():
        return change_email(request, email)
    if password.is_bound and password.is_valid():
        update_session_auth_hash(request, password.save())
        messages.success(request, services.follow_new_password(user, password.cleaned_data["keep_tokens"]))
        return redirect("settings")
    context = {"profile": profile, "email_form": email, "password": password}
    return render(request, "accounts/settings.html", context)


def change_email(request: AuthorRequest, form: EmailForm) -> HttpResponse:
    try:
        services.change_email(request.user, form.cleaned_data["email"])
        messages.success(
            request, _("We have sent a link to the new address. Open it to confirm the address.")
        )
    except limits.LimitError as error:
        messages.error(request, str(error))
    return redirect("settings")


@login_required
@reauthentication_required(allow_get=True)
@never_cache
def tokens_page(request: AuthorRequest) -> HttpResponse:
    form = TokenForm(request.user, request.POST or None)
    secret = ""
    if request.method == "POST" and form.is_valid():
        try:
            _token, secret = tokens.make_token(
                request.user, form.cleaned_data["name"], form.cleaned_data["scopes"]
            )
            form = TokenForm(request.user)
        except tokens.TokenError as error:
            form.add_error("name", str(error))
    own = request.user.tokens.filter(revoked_at=None)
    return render(request, "accounts/tokens.html", {"form": form, "secret": secret, "tokens": own})


@login_required
@require_POST
def revoke(request: AuthorRequest, token_id: int) -> HttpResponse:
    if tokens.revoke_token(request.user, token_id):
        messages.success(request, _("Token revoked."))
    return redirect("tokens")


@require_GET
def author(request: HttpRequest, username: str) -> HttpResponse:
    person = get_object_or_404(User, Q(is_active=True) | Q(left_at__isnull=False), username=username)
    if person.is_team and person.is_active:
        return redirect("team", person.username)
    bots = person.bots.select_related("active_version").order_by("name")[:100]
    teams = person.memberships.select_related("team").order_by("team__username")
    return render(request, "accounts/author.html", {"person": person, "bots": bots, "teams": teams})
