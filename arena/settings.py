"""Settings of the arena, read from the environment."""

SECRET_KEY = "to be replaced"
INSTALLED_APPS: list[str] = []
USE_TZ = True
