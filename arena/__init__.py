"""The arena: accounts, bots, matches, ladders, tournaments and the pages that show them."""
