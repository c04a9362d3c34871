"""Sandboxes: strangers' code runs here and nothing gets out. `base` is the interface, one file a kind behind it."""
