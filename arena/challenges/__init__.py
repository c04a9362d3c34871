"""Challenges: authors request unrated matches against bots of their choice, within a quota."""
