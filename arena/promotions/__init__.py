"""Promotion by evidence: a new version plays only once it has proved better than the active one."""
