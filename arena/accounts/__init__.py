"""Who takes part: bot authors, organisers, administrators."""
