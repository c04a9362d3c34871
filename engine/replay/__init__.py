"""Turns a game into what people see of it: the table after each event, scenes, and frames for each view."""
