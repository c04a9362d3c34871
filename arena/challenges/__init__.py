"""Challenges: an author asks for unrated matches against chosen bots, within a quota."""
