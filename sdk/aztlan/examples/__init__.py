"""Examples to copy and change."""
