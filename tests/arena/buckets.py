"""A real S3 server on this machine, for tests of what uses the storage."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
from moto.server import ThreadedMotoServer

KEY = {"aws_access_key_id": "an-id", "aws_secret_access_key": "a-secret", "region_name": "us-east-1"}


@contextmanager
def s3_server() -> Iterator[str]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.stop()


@contextmanager
def bucket_at(endpoint: str, name: str = "files") -> Iterator[Any]:
    """Make a bucket for one test, and take it down with all that is in it."""
    bucket = boto3.resource("s3", endpoint_url=endpoint, **KEY).Bucket(name)
    bucket.create()
    yield bucket
    bucket.objects.all().delete()
    bucket.delete()


def variables(endpoint: str, name: str = "files") -> dict[str, str]:
    """The environment of an arena whose files are in this bucket."""
    return {
        "ARENA_STORAGE": f"s3://{name}/arena",
        "ARENA_S3_ENDPOINT": endpoint,
        "ARENA_S3_KEY_ID": KEY["aws_access_key_id"],
        "ARENA_S3_SECRET": KEY["aws_secret_access_key"],
    }
