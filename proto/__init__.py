"""The gRPC contract between match hosts and bots, and the codec between its messages and engine values."""
