"""Start the arena and keep it running until Ctrl-C or SIGTERM."""

from arena.up.run import main

if __name__ == "__main__":
    main()
