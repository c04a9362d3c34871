from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MatchesConfig(AppConfig):
    name = "arena.matches"
    verbose_name = _("Matches")

    def ready(self) -> None:
        from arena.bots import selectors
        from arena.bots import services as bots
        from arena.matches import (  # noqa: F401  mail does owed work
            builds,
            mail,
            settling,
            validation,
            waiting,
            webhooks,
        )

        bots.when_checked(validation.start)
        selectors.explain_waiting(waiting.why_it_waits)
        builds.follow(validation.follow_build)
        settling.register("validation", settling.each(validation.settle))
        settling.listen(webhooks.announce)
