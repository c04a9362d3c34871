"""Takes memory and touches it."""

taken = []
while True:
    taken.append(bytearray(b"x" * 2**20))
