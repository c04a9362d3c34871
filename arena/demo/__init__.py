"""What a fresh arena shows: accounts to sign in with, loaded once into an empty database."""
