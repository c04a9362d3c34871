from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class HostsConfig(AppConfig):
    name = "arena.hosts"
    verbose_name = _("Match hosts")
