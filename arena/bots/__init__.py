"""Bots and their immutable versions: upload, checks, status, and who may see what of them."""
