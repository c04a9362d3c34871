"""Which log records are worth a line."""

from logging import Filter, LogRecord

READY = "/readyz"


class WorthLogging(Filter):
    """Drops a probe's 503, which Django would log as an error of the web server: the caller is told."""

    def filter(self, record: LogRecord) -> bool:
        return getattr(getattr(record, "request", None), "path", "") != READY
