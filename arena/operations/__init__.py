"""What operators need besides the pages: metrics, probes, backups and retention."""
