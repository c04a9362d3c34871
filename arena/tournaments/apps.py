from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "arena.tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        from arena.matches import settling, visibility
        from arena.tournaments import running, selectors

        settling.register("tournament", settling.each(running.settle))
        visibility.guard("tournament", selectors.held_back)
        visibility.guard_pairings("tournament", selectors.unknown_pairings)
        visibility.keep_behind("tournament", selectors.live_delays)
