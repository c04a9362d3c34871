"""Thinks for ever."""

from cast import Line, play

play(Line(), decisions=2)
while True:
    pass
