"""Makes empty files until something gives."""

import os

number = 0
while True:
    number += 1
    os.close(os.open(f"/tmp/{number}", os.O_CREAT))
