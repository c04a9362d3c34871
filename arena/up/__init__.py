"""`make up`: run the whole arena on this machine, and stop all of it together."""
