from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DiscoveryConfig(AppConfig):
    name = "arena.discovery"
    verbose_name = _("Sharing and finding")
