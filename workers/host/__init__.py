"""A match host at work: woken by a message, it claims an attempt, plays or builds, beats, and reports."""
