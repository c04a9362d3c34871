"""The frame of every page, and the home page."""
