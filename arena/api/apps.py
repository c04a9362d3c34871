from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "arena.api"

    def ready(self) -> None:
        from arena.api import schema  # noqa: F401  drf-spectacular finds the token scheme by its import
