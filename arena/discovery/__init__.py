"""Sharing and finding: cards for links, Atom feeds, following, and one search for everything."""
