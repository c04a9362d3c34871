"""Bots and their immutable versions: uploads, checks and statuses."""
