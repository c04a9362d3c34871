"""Matches: what is to be played, how it went, and who may see what of it."""
