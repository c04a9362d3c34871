"""Exit codes; docs/commands.md lists them for people who write scripts."""

YES = 0
"""Success, or the answer is yes."""
NO = 1
"""The answer is no: a check, a record or a test failed, a bot failed, a decision differs."""
BAD_USE = 2
"""The command could not run: wrong arguments, a bot or file that cannot be used, no arena."""
UNDECIDED = 3
"""All games allowed were played, and there is no answer yet."""
INTERRUPTED = 130
"""Ctrl-C. What was finished by then is kept."""
