"""What the arena's pages run in a reader's browser: the checks of a record, and games against house bots.

It is sent there with the engine, as source, and needs nothing but the standard library.
"""
