"""Ladders and seasons are changed here; ratings never: they follow from the log."""

from django.contrib import admin

from arena.accounts.staff import LookOnly, OnRecord
from arena.ladders.models import Entry, Ladder, Result, Season, Standing


@admin.register(Ladder)
class LadderAdmin(OnRecord):
    list_display = ["name", "seats", "depth", "house_fixed", "duplicate", "is_open"]
    prepopulated_fields = {"slug": ["name"]}


@admin.register(Season)
class SeasonAdmin(OnRecord):
    list_display = ["ladder", "number", "starts_at", "ends_at", "closed_at", "last_sequence"]
    readonly_fields = ["last_sequence", "closed_at"]


@admin.register(Entry)
class EntryAdmin(OnRecord):
    list_display = ["ladder", "bot", "fixed_rating", "joined_at", "left_at", "best_rank"]
    list_select_related = ["ladder", "bot"]
    readonly_fields = ["paired_at", "seats_had", "best_rank"]


@admin.register(Standing)
class StandingAdmin(LookOnly):
    list_display = ["season", "bot", "rating", "games", "wins"]
    list_select_related = ["season__ladder", "bot"]


@admin.register(Result)
class ResultAdmin(LookOnly):
    list_display = ["season", "sequence", "kind", "match", "voids", "created_at"]
    list_select_related = ["season__ladder", "match", "voids"]
