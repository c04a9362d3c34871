"""Match hosts: they take a match spec, run strangers' bots in sandboxes, and report. No Django."""
