"""Sandboxes: strangers' code runs, and nothing gets out. `base` is the interface, one file a kind behind it."""
