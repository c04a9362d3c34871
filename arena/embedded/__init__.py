"""PostgreSQL and Redis from wheels, for running the arena where no servers are configured."""
