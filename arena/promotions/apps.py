from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PromotionsConfig(AppConfig):
    name = "arena.promotions"
    verbose_name = _("Promotion tests")
