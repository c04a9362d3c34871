"""How gRPC waits for its sockets, on match hosts and in the bots that they start."""

from typing import Final

POLLING: Final = {"GRPC_EXPERIMENTS": "-event_engine_client,-event_engine_listener"}
"""Variables for a process that is about to import grpc, which reads them then and never again.

By default gRPC hands every message through threads of its own: 15 changes of thread for a call and its
answer, where polling in the threads that wait anyway takes 7. Of the processor time of a match whose bots
think nothing, theirs included, that is a sixth.
"""
