"""Sandboxes: strangers' code runs, and nothing gets out. `base` is the interface to all kinds."""
