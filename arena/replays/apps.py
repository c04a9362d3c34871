from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    name = "arena.replays"
    label = "replays"

    def ready(self) -> None:
        from arena.matches import settling
        from arena.replays import services

        settling.listen(settling.each(services.owe_chances_of_events))
