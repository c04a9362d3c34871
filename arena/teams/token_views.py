"""The page of a team's API tokens: members see them, owners make and revoke them."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from arena.accounts import tokens
from arena.accounts.forms import TokenForm
from arena.accounts.permissions import is_member, runs_team
from arena.accounts.requests import AuthorRequest
from arena.teams.selectors import find_team
from arena.teams.views import own_team


@login_required
@reauthentication_required(allow_get=True)
@never_cache
def team_tokens(request: AuthorRequest, name: str) -> HttpResponse:
    team = find_team(name)
    if not is_member(request.user, team.pk):
        raise PermissionDenied(_("Only members of the team may see this."))
    runs, secret = runs_team(request.user, team.pk), ""
    form = TokenForm(team, request.POST or None)
    if request.method == "POST":
        own_team(request, name)
        if form.is_valid():
            try:
                chosen = form.cleaned_data
                _token, secret = tokens.make_token(team, chosen["name"], chosen["scopes"], request.user)
                form = TokenForm(team)
            except tokens.TokenError as error:
                form.add_error("name", str(error))
    own = team.tokens.filter(revoked_at=None).select_related("maker")
    context = {"team": team, "runs": runs, "form": form, "secret": secret, "tokens": own}
    return render(request, "teams/tokens.html", context)


@login_required
@require_POST
def revoke_team_token(request: AuthorRequest, name: str, token_id: int) -> HttpResponse:
    team = own_team(request, name)
    if tokens.revoke_token(team, token_id):
        messages.success(request, _("Token revoked."))
    return redirect("team-tokens", team.username)
