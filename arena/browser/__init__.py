"""The engine in the reader's own browser: the files it is made of, and what a page says about it."""
