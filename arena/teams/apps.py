from django.apps import AppConfig


class TeamsConfig(AppConfig):
    name = "arena.teams"
