"""Pages that draw on several apps."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from arena.accounts.permissions import accounts_of, is_owner, may_give_away
from arena.bots import selectors
from arena.bots.models import SLUG, Bot
from arena.bots.paging import page_of
from arena.matches.listing import MatchFilter, list_matches, recent_matches_of
from arena.matches.models import Match
from arena.matches.visibility import conceal

ON_HOME = 8
ON_BOT = 15
PAGE = 30


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    finished = list(list_matches(MatchFilter(state=Match.State.FINISHED), request.user)[:ON_HOME])
    conceal(finished, request.user)
    return render(request, "pages/home.html", {"matches": finished, "bots": selectors.list_bots()[:ON_HOME]})


@require_GET
def icon(_: HttpRequest) -> HttpResponse:
    """Where browsers look on pages that name no icon, as the administration's do."""
    return redirect(static("pages/mark.svg"))


@require_GET
def bot_page(request: HttpRequest, slug: str) -> HttpResponse:
    bot = get_object_or_404(Bot.objects.select_related("owner", "active_version"), slug=slug)
    versions = list(bot.versions.defer("manifest")[:PAGE])
    for version in versions:
        version.bot = bot  # for its address, without asking again
    context = {
        "bot": bot,
        "versions": versions,
        "matches": conceal(recent_matches_of(bot, ON_BOT, request.user), request.user),
        "is_owner": is_owner(request.user, bot),
        "can_move": bool(accounts_of(request.user) - {bot.owner_id}) and may_give_away(request.user, bot),
    }
    return render(request, "pages/bot.html", context)


class MatchFilterForm(forms.Form):
    bot = forms.CharField(label=_("Bot"), required=False, max_length=40, validators=[SLUG])
    state = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("any")), *Match.State.choices]
    )
    purpose = forms.ChoiceField(
        label=_("Purpose"), required=False, choices=[("", _("any")), *Match.Purpose.choices]
    )
    seats = forms.TypedChoiceField(
        label=_("Seats"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", _("any")), (2, 2), (3, 3), (4, 4)],
    )


@require_GET
def match_list(request: HttpRequest) -> HttpResponse:
    form = MatchFilterForm(request.GET)
    wanted = MatchFilter(**form.cleaned_data) if form.is_valid() else MatchFilter()
    page = page_of(request, list_matches(wanted, request.user), PAGE)
    conceal(page.rows, request.user)
    return render(request, "pages/matches.html", {"form": form, "matches": page.rows, "page": page})
