"""Replays: watch any match, live or later, from any seat, at any step."""
