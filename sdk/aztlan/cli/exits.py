"""How commands end: docs/commands.md lists these for people who write scripts."""

YES = 0
"""It is done, or the answer is yes."""
NO = 1
"""The answer is no: a check, a record or a test failed, a bot failed, a decision differs."""
BAD_USE = 2
"""The command could not be done: wrong arguments, a bot or file that cannot be used, no arena."""
UNDECIDED = 3
"""Played as much as was allowed, and there is no answer yet."""
INTERRUPTED = 130
"""Ctrl-C. What was done by then is kept."""
