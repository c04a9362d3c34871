"""A match host at work: woken by a message, it claims an attempt, plays or builds, and reports.

Heartbeats keep its lease on the attempt meanwhile.
"""
