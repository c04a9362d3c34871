from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LaddersConfig(AppConfig):
    name = "arena.ladders"
    verbose_name = _("Ladders")

    def ready(self) -> None:
        from arena.ladders import selectors, services
        from arena.matches import settling, visibility

        settling.register("ladder", services.settle)
        visibility.keep_behind("ladder", selectors.live_delays)
