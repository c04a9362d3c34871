"""What operators need beside the pages: metrics, probes, back-ups, and forgetting what is kept no longer."""
