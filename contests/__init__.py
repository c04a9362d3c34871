"""Contests as pure functions: ratings, who meets whom, tournament formats. No Django, no clock."""
