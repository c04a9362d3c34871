from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "arena.operations"

    def ready(self) -> None:
        from arena.operations import error_reports

        error_reports.start()
