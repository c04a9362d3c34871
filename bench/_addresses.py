"""Every address of the arena that can be read, with examples for its parameters."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.urls import get_resolver

from arena.accounts.models import ApiToken, AuditEntry
from arena.matches.models import Match

# Further ways to ask for the same address.
QUERIES = {
    "matches/": ["?state=finished", "?state=running"],
    "api/v1/matches": ["?state=finished", "?state=running", "?bot=bot-0"],
    "live/": ["?event=cup"],
    "search/": ["?q=bot", "?q=cup", "?q=itzel", "?q=ladder"],
    "api/v1/search": ["?q=bot"],
}
# What stands for the parameters of addresses, by their name or by the first word of the address and their name.
EXAMPLES: dict[str, list[Any]] = {
    "view": ["open", "public"], "seat": [0], "number": [1], "kind": ["json", "csv", "trf"],
    "bots/slug": ["bot-0"], "tournaments/slug": ["cup"], "ladders/slug": ["ladder-0"],
    "bot_slug": ["bot-0"], "bot": ["bot-0"], "username": ["itzel"], "board_id": ["aztlan"],
    "teams/name": ["knights"], "secret": ["x"], "name": ["host"], "pk": [1], "version_id": [1], "token_id": [1], "attempt_id": [1], "sha256": ["x"],
    "signature": ["x"], "day": ["2020-01-01"], "key": ["x"], "file": ["engine.zip"], "uidb64": ["x"], "token": ["y"], "format": ["json"], "provider_id": ["x"],
}  # fmt: skip
NOT_WALKED = {
    "live/events",  # a stream without an end: test_live
    "host/v1/tables/news",  # another
    "accounts/tokens", "api/v1/tokens",  # which show when they were last used: in this walk
}  # fmt: skip


def values(name: str, route: str, matches: Sequence[Match]) -> list[Any]:
    """What can stand for a parameter; a new one must be given an example."""
    app = route.removeprefix("api/v1/").split("/")[0]
    if name == "public_id" or (app, name) == ("matches", "id"):
        return [match.public_id for match in matches]
    for key in (f"{app}/{name}", name):
        if key in EXAMPLES:
            return EXAMPLES[key]
    raise AssertionError(f"Say in EXAMPLES what stands for {name} in {route}.")


def addresses(matches: Sequence[Match]) -> Iterator[str]:
    """All addresses of the table but the administration's, with each example for each parameter."""
    known = get_resolver().reverse_dict
    for name in sorted(one for one in known if isinstance(one, str)):
        for forms, *_ in known.getlist(name):
            for form, names in forms:
                if form in NOT_WALKED:
                    continue
                for chosen in product(*(values(one, form, matches) for one in names)):
                    path = form % dict(zip(names, chosen, strict=True))
                    yield from (f"/{path}{query}" for query in ["", *QUERIES.get(path, [])])


def administration() -> Iterator[str]:
    """Return the lists of the administration, and the forms of the newest rows."""
    for model in filter(admin.site.is_registered, apps.get_models()):
        if model in (ApiToken, AuditEntry):  # which show this very walk
            continue
        options = model._meta  # noqa: SLF001  Django's own name for it
        place = f"/admin/{options.app_label}/{options.model_name}/"
        yield place
        newest = model._default_manager.order_by("-pk")  # noqa: SLF001  as above
        for pk in newest.values_list("pk", flat=True)[:3]:
            yield f"{place}{pk}/change/"
