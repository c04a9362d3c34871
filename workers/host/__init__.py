"""A match host at work: woken by a message, it claims an attempt, plays or builds, beats, and reports."""

import os

from workers.polling import POLLING

for name, value in POLLING.items():  # here, where nothing of a host has imported grpc yet
    os.environ.setdefault(name, value)
