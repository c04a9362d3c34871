from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "arena.accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        """Take allauth's pages out of the administration: with them, staff could open anybody's account."""
        from django.contrib.admin import site  # which needs the apps to be loaded

        for model in [model for model in site._registry if model.__module__.startswith("allauth.")]:  # noqa: SLF001  there is no other list
            site.unregister(model)
