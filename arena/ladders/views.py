"""The pages of ladders."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from arena.accounts.permissions import is_owner
from arena.bots.models import Bot
from arena.computing import computes
from arena.ladders import selectors, services
from arena.ladders.charts import axis_of, history_chart
from arena.ladders.models import Ladder, Season
from arena.ladders.paging import StandingsPage, read_number, standings_page
from arena.matches.visibility import conceal
from engine.rulesets import ruleset_from_options

CHART_POINTS = 300
MOMENTS = 30


@require_GET
def ladder_list(request: HttpRequest) -> HttpResponse:
    ladders = []
    for ladder in Ladder.objects.all():
        season = selectors.shown_season(ladder)
        top = list(selectors.standings(season)[:3]) if season else []
        ladders.append((ladder, season, top))
    return render(request, "ladders/list.html", {"ladders": ladders})


@require_GET
def ladder_page(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """The standings of a season, with search and pages."""
    season = find_season(slug, number)
    search = request.GET.get("q", "")[:100].replace("\0", "").strip()
    page = (
        StandingsPage(selectors.standings_found(season, search))
        if search
        else standings_page(season, request)
    )
    context = {
        "ladder": season.ladder,
        "season": season,
        "seasons": season.ladder.seasons.all()[:20],
        "edition": ruleset_from_options(season.ladder.ruleset).name,
        "search": search,
        "page": page,
        "rows": page.rows,
        "axis": axis_of([(row.low, row.mu, row.high) for row in page.rows]),
        "matches": conceal(selectors.recent_matches(season), request.user),
    }
    return render(request, "ladders/ladder.html", context)


@require_GET
@computes
def head_to_head(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    season = find_season(slug, number)
    bots = selectors.top_bots(season)
    context = {"ladder": season.ladder, "season": season, "bots": bots}
    return render(
        request, "ladders/head_to_head.html", {**context, "table": selectors.head_to_head(season, bots)}
    )


@require_GET
@computes
def bot_history(request: HttpRequest, slug: str, bot_slug: str, number: int | None = None) -> HttpResponse:
    """A bot's rating over a season, as a chart and as a table."""
    season = find_season(slug, number)
    bot = get_object_or_404(Bot.objects.select_related("owner"), slug=bot_slug)
    before = read_number(request.GET.get("before", ""))
    moments = selectors.history(season, bot, before, MOMENTS + 1)
    shown = selectors.thinned_history(season, bot, CHART_POINTS)
    entry = season.ladder.entries.filter(bot=bot).first()
    context = {
        "ladder": season.ladder,
        "season": season,
        "bot": bot,
        "entry": entry,
        "is_owner": is_owner(request.user, bot),
        "rows": selectors.row_of(season, bot),
        "moments": moments[:MOMENTS],
        "before": before,
        "earlier": moments[MOMENTS - 1].sequence if len(moments) > MOMENTS else None,
        "chart": history_chart(
            [one.rating for one in shown], [one.low for one in shown], [one.high for one in shown]
        ),
    }
    return render(request, "ladders/history.html", context)


@require_POST
@login_required
def take_part(request: HttpRequest, slug: str, bot_slug: str) -> HttpResponse:
    """Enter one's own bot, or take it out."""
    ladder = get_object_or_404(Ladder, slug=slug)
    bot = get_object_or_404(Bot, slug=bot_slug)
    if not is_owner(request.user, bot):
        raise Http404
    (services.enter if request.POST.get("take_part") == "yes" else services.leave)(ladder, bot)
    return redirect("rating-history", slug, bot_slug)


def find_season(slug: str, number: int | None) -> Season:
    ladder = get_object_or_404(Ladder, slug=slug)
    season = selectors.shown_season(ladder, number)
    if season is None:
        raise Http404("This ladder has no such season.")
    return season
