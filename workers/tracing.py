"""Traces of matches, sent to the OpenTelemetry collector at ARENA_TRACES_URL; without one, nothing is loaded.

All spans of a match are in one trace, and its id follows from the match's own: whoever works on a match
knows it, however the work came to them (docs/adr/0048).
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from typing import Any

from workers import env
from workers.logs import concerning

VARIABLE = "ARENA_TRACES_URL"
EXPORT_MS = 1000
_chosen: ContextVar[tuple[int, int] | None] = ContextVar("chosen ids", default=None)
_written: ContextVar[list[str] | None] = ContextVar("traces written to", default=None)


def collector(name: str = VARIABLE) -> str:
    """Return the collector's address, or an empty text; a wrong one ends the program with a sentence."""
    url = env.text(name, "")
    if url and not url.startswith(("http://", "https://")):
        raise env.EnvError(
            f"{name} must be the address of a collector, like http://127.0.0.1:4318/v1/traces, not {url!r}."
        )
    if url and not (find_spec("opentelemetry") and find_spec("opentelemetry.exporter")):
        raise env.EnvError(
            f"{name} is set, but the packages for it are missing: pip install 'aztlan-arena[telemetry]'."
        )
    return url


def is_on() -> bool:
    return bool(os.environ.get(VARIABLE))


def ids_of(match_id: str) -> tuple[int, int]:
    """Return the trace of a match, and its first span: `request`."""
    digest = sha256(f"aztlan match {match_id}".encode()).digest()
    return int.from_bytes(digest[:16], "big"), int.from_bytes(digest[16:24], "big")


@contextmanager
def collecting() -> Iterator[list[str]]:
    """Collect the ids of the traces that are written to inside the block, also in its threads and tasks."""
    traces: list[str] = []
    token = _written.set(traces)
    try:
        yield traces
    finally:
        _written.reset(token)


def remember(trace_id: int) -> str:
    """Return a trace's id as text; it is added to those that are being collected."""
    text = f"{trace_id:032x}"
    if (traces := _written.get()) is not None:
        traces.append(text)
    return text


def begin_trace(match_id: str, **attributes: str) -> None:
    """Write the first span of a match's trace: it was requested."""
    if not is_on():
        return
    token = _chosen.set(ids_of(match_id))
    remember(ids_of(match_id)[0])
    try:
        from opentelemetry.context import Context

        tracer().start_span("request", Context(), attributes={"match": match_id, **attributes}).end()
    finally:
        _chosen.reset(token)


@contextmanager
def span(name: str, match_id: str, began: float | None = None, **attributes: str) -> Iterator[None]:
    """Write a span of a match's trace around a block; `began` is when it began, if that was earlier."""
    if not is_on() or not match_id:
        yield
        return
    from opentelemetry import trace

    trace_id, first = ids_of(match_id)
    context = None
    if trace.get_current_span().get_span_context().trace_id != trace_id:
        parent = trace.SpanContext(trace_id, first, is_remote=True, trace_flags=trace.TraceFlags(1))
        context = trace.set_span_in_context(trace.NonRecordingSpan(parent))
    known = {"match": match_id, **attributes}
    start = int((began or time.time()) * 1e9)
    with (
        concerning(trace=remember(trace_id)),
        tracer().start_as_current_span(name, context, attributes=known, start_time=start),
    ):
        yield


def tracer() -> Any:
    return provider(os.getpid()).get_tracer("aztlan")


@cache
def provider(pid: int) -> Any:
    """Return this process's provider: its sending thread does not survive a fork, so each has its own."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

    class MatchIds(RandomIdGenerator):
        def generate_trace_id(self) -> int:
            return chosen[0] if (chosen := _chosen.get()) else super().generate_trace_id()

        def generate_span_id(self) -> int:
            return chosen[1] if (chosen := _chosen.get()) else super().generate_span_id()

    known = Resource.create({"service.name": "aztlan", "process.pid": pid})
    made = TracerProvider(resource=known, id_generator=MatchIds())
    exporter = OTLPSpanExporter(endpoint=collector(), timeout=5)
    made.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=EXPORT_MS))
    return made
