"""Replays explained and continued: decisions judged over what a seat knew, variations, continuations."""
