"""Matches on the author's own machine: no server, no sandbox.

Only this package and the command line may import `workers`: bots, which import the rest, do not have it.
"""
