"""Pictures of boards and positions, as SVG made on the server.

`board` draws the empty board, `scene` what stands on it. The viewer in the browser lays its own moving things
over the same empty board, so the two look alike.
"""
