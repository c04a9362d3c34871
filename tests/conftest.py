"""What every test may use. Services are real: PostgreSQL and Redis start once a test session."""
