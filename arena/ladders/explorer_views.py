"""The pages of a bot's results, and of two of its versions side by side."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from arena.bots.models import SLUG, Bot
from arena.computing import computes
from arena.ladders.comparing import VersionChoiceError, choose_versions, compare_versions_of
from arena.ladders.explorer import Grouping, SortedBy, Wanted, explore
from arena.ladders.paging import read_number

PAGE = 50
MOST_CHOICES = 100
GROUPS = [
    (Grouping.OPPONENT, _("Opponent")), (Grouping.SEAT, _("Seat")), (Grouping.SEATS, _("Seat count")),
    (Grouping.EDITION, _("Edition")), (Grouping.CARD, _("Power card")), (Grouping.AGE, _("Age")),
    (Grouping.VERSION, _("Version")), (Grouping.LADDER, _("Ladder")),
]  # fmt: skip
COLUMNS = [
    (SortedBy.NAME, ""),
    (SortedBy.GAMES, _("Games")),
    (SortedBy.FIRSTS, _("Won")),
    (SortedBy.SCORE, _("Score")),
]
LARGEST = 2**31 - 1


class ExplorerForm(forms.Form):
    """What an address asks for; the API reads it in the same way."""

    by = forms.ChoiceField(required=False, choices=[(group.value, group.value) for group in Grouping])
    ladder = forms.CharField(required=False, max_length=40, validators=[SLUG])
    season = forms.IntegerField(required=False, min_value=1, max_value=LARGEST)
    version = forms.IntegerField(required=False, min_value=1, max_value=LARGEST)
    opponent = forms.CharField(required=False, max_length=40, validators=[SLUG])
    seat = forms.IntegerField(required=False, min_value=1, max_value=4)
    sort = forms.ChoiceField(required=False, choices=[(sort.value, sort.value) for sort in SortedBy])
    order = forms.ChoiceField(required=False, choices=[("up", "up"), ("down", "down")])

    def wanted(self) -> Wanted:
        """Return what is asked for; whatever is invalid is left out."""
        self.is_valid()
        found = self.cleaned_data
        by = Grouping(found.get("by") or Grouping.OPPONENT)
        by_number = by not in (Grouping.OPPONENT, Grouping.EDITION, Grouping.LADDER, Grouping.VERSION)
        sort = SortedBy(found.get("sort") or (SortedBy.NAME if by_number else SortedBy.GAMES))
        return Wanted(
            by,
            found.get("ladder") or "",
            found.get("season"),
            found.get("version"),
            found.get("opponent") or "",
            found.get("seat"),
            sort,
            (found.get("order") or ("up" if sort is SortedBy.NAME else "down")) == "up",
        )


@require_GET
@computes
def bot_results(request: HttpRequest, slug: str) -> HttpResponse:
    """A bot's results by opponent, seat, edition, power card and so on; the address says which."""
    bot = get_object_or_404(Bot.objects.select_related("owner"), slug=slug)
    form = ExplorerForm(request.GET)
    wanted = form.wanted()
    found = explore(bot, wanted)
    page = min(max(read_number(request.GET.get("page", "")) or 1, 1), max(1, -(-len(found.rows) // PAGE)))
    context = {
        "bot": bot,
        "wanted": wanted,
        "found": found,
        "rows": found.rows[(page - 1) * PAGE : page * PAGE],
        "page": page,
        "previous": address(request, page=page - 1) if page > 1 else "",
        "next": address(request, page=page + 1) if page * PAGE < len(found.rows) else "",
        "groups": [
            (name, address(request, by=by, sort="", order="", page=""), by == wanted.by)
            for by, name in GROUPS
        ],
        "group": next(name for by, name in GROUPS if by == wanted.by),
        "columns": [column(request, wanted, sort, name) for sort, name in COLUMNS],
        "has_firsts": any(row.firsts is not None for row in found.rows),
        "has_luck": any(row.adjusted is not None for row in found.rows),
        "problems": [error for errors in form.errors.values() for error in errors],
        "ladders": list({season.ladder.slug: season.ladder for season in found.seasons}.values()),
    }
    return render(request, "ladders/results.html", context)


def address(request: HttpRequest, **changes: object) -> str:
    """Return this page's address with some parts changed; empty values are left out."""
    query = request.GET.copy()
    for name, value in changes.items():
        query[name] = str(value)
    for name in [name for name in query if not query[name]]:
        del query[name]
    return f"?{query.urlencode()}"


def column(request: HttpRequest, wanted: Wanted, sort: SortedBy, name: object) -> dict[str, Any]:
    """Return the head of a column: where it leads, and how the table is sorted by it now."""
    is_sorted = sort is wanted.sort
    upwards = not wanted.ascending if is_sorted else sort is SortedBy.NAME
    return {
        "sort": sort.value,
        "name": name,
        "address": address(request, sort=sort.value, order="up" if upwards else "down", page=""),
        "sorted": ("ascending" if wanted.ascending else "descending") if is_sorted else "",
    }


@require_GET
@computes
def compare_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Two versions of a bot side by side: ?from=3&to=4."""
    bot = get_object_or_404(Bot.objects.select_related("owner"), slug=slug)
    context: dict[str, Any] = {
        "bot": bot,
        "numbers": list(bot.versions.order_by("-number").values_list("number", flat=True)[:MOST_CHOICES]),
        "chosen": [read_number(request.GET.get(name, "")) for name in ("from", "to")],
    }
    try:
        older, newer = choose_versions(bot, context["chosen"])
    except VersionChoiceError as error:
        return render(request, "ladders/compare.html", {**context, "problem": str(error)})
    context["chosen"] = [older.number, newer.number]
    found = compare_versions_of(bot, older, newer, request.user)
    return render(request, "ladders/compare.html", {**context, "found": found})
