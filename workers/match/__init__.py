"""One match: asks the bots over gRPC, keeps clocks and faults, and makes a report."""
