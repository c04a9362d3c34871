"""One match: bots are asked over gRPC, clocks and faults are kept, and a report comes out."""

import os

# gRPC reads this when it is first used. A match host forks only to start bots, so gRPC's fork handlers are of
# no use to it, and they complain about each start.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
