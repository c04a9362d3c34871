"""Matches: what is to be played, each attempt at it on a match host, and what came of it."""
