"""The cast of match and ladder tests, which the measurements in `bench/` use too."""

from bench._cast import HOST_STATE, KEY, ask_for, claim, finish, make_bot, make_season, report_of

__all__ = ["HOST_STATE", "KEY", "ask_for", "claim", "finish", "make_bot", "make_season", "report_of"]
