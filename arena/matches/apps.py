from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MatchesConfig(AppConfig):
    name = "arena.matches"
    verbose_name = _("Matches")

    def ready(self) -> None:
        from arena.bots import services as bots
        from arena.matches import builds, mail, settling, validation, webhooks  # noqa: F401  it does owed work

        bots.when_checked(validation.start)
        builds.follow(validation.follow_build)
        settling.register("validation", settling.each(validation.settle))
        settling.listen(webhooks.announce)
