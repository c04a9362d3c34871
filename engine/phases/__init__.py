"""The four phases of an age and the end of the game, one file each, as functions over a Position.

Each has `legal(p)`, the legal actions of the acting seat; `apply(p, action)`, which checks and then acts; and
`begin(p)`. Whoever changes the acting seat leaves it with a decision that has at least two answers.
"""
