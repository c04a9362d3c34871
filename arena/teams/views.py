"""The pages of teams."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from arena.accounts import limits
from arena.accounts.models import TeamInvitation, User
from arena.accounts.permissions import is_member, runs_team
from arena.accounts.requests import AuthorRequest
from arena.bots.errors import RefusedError
from arena.bots.views import own_bot
from arena.teams import inviting, moving, selectors, services
from arena.teams.forms import InviteForm, MoveForm, TeamDeletionForm, TeamForm

NOTICES = 20


@login_required
def my_teams(request: AuthorRequest) -> HttpResponse:
    """List somebody's teams and invitations, with a form to found one."""
    form = TeamForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("team", services.create_team(request.user, form.cleaned_data["name"]).username)
        except (RefusedError, limits.LimitError) as error:
            form.add_error("name", str(error))
    invitations = selectors.open_invitations().filter(person=request.user)
    context = {"form": form, "memberships": selectors.teams_of(request.user), "invitations": invitations}
    return render(request, "teams/mine.html", context)


@require_GET
def team_page(request: HttpRequest, name: str) -> HttpResponse:
    """Show a team, its members and bots to everybody; its notices to members."""
    team = selectors.find_team(name)
    belongs = is_member(request.user, team.pk)
    context = {
        "team": team,
        "members": selectors.members_of(team),
        "bots": team.bots.select_related("owner", "active_version").order_by("name")[:100],
        "is_member": belongs,
        "runs": runs_team(request.user, team.pk),
        "notices": team.notices.all()[:NOTICES] if belongs else [],
    }
    return render(request, "teams/team.html", context)


def own_team(request: AuthorRequest, name: str) -> User:
    """Return a team that this person runs."""
    team = selectors.find_team(name)
    if not runs_team(request.user, team.pk):
        raise PermissionDenied(_("Only the owners of the team may do this."))
    return team


@login_required
@never_cache
def manage(request: AuthorRequest, name: str) -> HttpResponse:
    """Rename a team, and invite people; the button that was pressed names its form."""
    team = own_team(request, name)
    pressed = request.POST.get("form")
    rename = TeamForm(request.POST if pressed == "rename" else None, initial={"name": team.username})
    invite = InviteForm(request.POST if pressed == "invite" else None)
    link = ""
    try:
        if rename.is_bound and rename.is_valid():
            team = services.rename_team(request.user, team.pk, rename.cleaned_data["name"])
            messages.success(request, _("Saved."))
            return redirect("manage-team", team.username)
        if invite.is_bound and invite.is_valid():
            inviting.invite(request.user, team.pk, invite.cleaned_data["person"])
            messages.success(request, _("Invited."))
            return redirect("manage-team", team.username)
        if pressed == "link":
            _invitation, secret = inviting.invite_by_link(request.user, team.pk)
            link = request.build_absolute_uri(reverse("join-team", args=[secret]))
    except (RefusedError, limits.LimitError) as error:
        if rename.is_bound:
            rename.add_error("name", str(error))
        elif invite.is_bound:
            invite.add_error("person", str(error))
        else:
            messages.error(request, str(error))
    context = {
        "team": team,
        "members": selectors.members_of(team),
        "invitations": selectors.open_invitations().filter(team=team),
        "rename": rename,
        "invite": invite,
        "link": link,
        "roles": services.Role,
    }
    return render(request, "teams/manage.html", context)


@login_required
@require_POST
def change_member(request: AuthorRequest, name: str, username: str) -> HttpResponse:
    """Make somebody an owner or a member, or remove them."""
    team = own_team(request, name)
    person = get_object_or_404(team.members.select_related("person"), person__username=username).person
    act = request.POST.get("act")
    if act == "remove":
        return attempt(
            request, team, lambda: services.remove_member(request.user, team.pk, person.pk), _("Removed.")
        )
    if act not in services.Role.values:
        raise Http404
    answer = attempt(
        request, team, lambda: services.set_role(request.user, team.pk, person.pk, str(act)), _("Saved.")
    )
    return answer if runs_team(request.user, team.pk) else redirect("team", team.username)


@login_required
@require_POST
def revoke_invitation(request: AuthorRequest, name: str, pk: int) -> HttpResponse:
    team = own_team(request, name)
    return attempt(
        request, team, lambda: inviting.revoke(request.user, team.pk, pk), _("Invitation taken back.")
    )


def attempt(request: AuthorRequest, team: User, act: Callable[[], None], done: str) -> HttpResponse:
    """Do something to a team, say how it went, and return to its page."""
    try:
        act()
        messages.success(request, done)
    except RefusedError as error:
        messages.error(request, error.sentence)
    return redirect("manage-team", team.username)


@login_required
def delete(request: AuthorRequest, name: str) -> HttpResponse:
    """Delete a team, once its name has been typed."""
    team = own_team(request, name)
    form = TeamDeletionForm(team, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.delete_team(request.user, team.pk)
            messages.success(request, _("The team %s is deleted.") % team.username)
            return redirect("my-teams")
        except RefusedError as error:
            form.add_error(None, error.sentence)
    return render(request, "teams/delete.html", {"form": form, "team": team})


@login_required
@require_POST
def leave(request: AuthorRequest, name: str) -> HttpResponse:
    team = selectors.find_team(name)
    try:
        services.leave_team(request.user, team.pk)
        messages.success(request, _("You have left the team %s.") % team.username)
        return redirect("my-teams")
    except RefusedError as error:
        messages.error(request, error.sentence)
    return redirect("team", team.username)


@login_required
@require_POST
def answer_invitation(request: AuthorRequest, pk: int) -> HttpResponse:
    """Accept or decline an invitation that was sent to this person."""
    invitation = get_object_or_404(TeamInvitation.objects.select_related("team"), pk=pk, person=request.user)
    try:
        if "decline" in request.POST:
            inviting.decline(request.user, invitation)
            messages.success(request, _("Declined."))
            return redirect("my-teams")
        inviting.accept(request.user, invitation)
        return redirect("team", invitation.team.username)
    except RefusedError as error:
        messages.error(request, error.sentence)
    return redirect("my-teams")


@login_required
@never_cache
def join(request: AuthorRequest, secret: str) -> HttpResponse:
    """Accept an invitation by its link: only a click joins, as programs open links, too."""
    try:
        limits.spend("join", request.user.pk)
        invitation = inviting.find_link(secret)
        if invitation and request.method == "POST":
            inviting.accept(request.user, invitation)
            return redirect("team", invitation.team.username)
    except (RefusedError, limits.LimitError) as error:
        messages.error(request, str(error))
        return redirect("my-teams")
    return render(request, "teams/join.html", {"invitation": invitation}, status=200 if invitation else 404)


@login_required
def move(request: AuthorRequest, slug: str) -> HttpResponse:
    """Move a bot to another owner, once that is confirmed."""
    bot = own_bot(request, slug)
    owners = moving.new_owners(request.user, bot)
    form = MoveForm(owners, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            moving.move_bot(request.user, bot.pk, form.cleaned_data["to"])
            messages.success(request, _("%s moved.") % bot.name)
            return redirect(bot)
        except RefusedError as error:
            form.add_error(None, error.sentence)
    return render(request, "teams/move.html", {"form": form, "bot": bot, "owners": owners})
