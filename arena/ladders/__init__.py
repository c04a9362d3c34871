"""Ladders: seasons, ratings folded from a log of results, and who plays whom next."""
