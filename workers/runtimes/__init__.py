"""Bot runtimes, one file each: how a bot is built, how it is run, and what it sees of the host."""
