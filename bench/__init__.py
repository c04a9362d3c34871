"""Measurements. Each module here with a `main()` is one of them; `make bench` runs them all."""
