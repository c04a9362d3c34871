"""What the arena's pages run in the reader's own browser: the checks of a record, and a game against house bots.

It is sent there with the engine, as source, and needs nothing but the standard library.
"""
