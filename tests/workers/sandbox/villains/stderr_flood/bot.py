"""Never stops talking."""

import os

while True:
    os.write(2, b"x" * 65536)
