"""People: bot authors, organisers and staff."""
