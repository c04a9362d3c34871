"""People at tables: they open one, invite others, and play on match hosts as bots do (docs/adr/0036)."""
