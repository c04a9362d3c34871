"""Sandboxes run strangers' code and let nothing out. `base` is the interface of all kinds."""
