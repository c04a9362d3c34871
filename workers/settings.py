"""What a match host reads from the environment, and the Celery settings that hosts and the arena share."""

from typing import Any

from workers import env

MATCHES_QUEUE = "matches"
RUN_ATTEMPT = "workers.host.tasks.run_attempt"
# Several arenas may share a server; each queue key carries the project's name.
QUEUE_PREFIX = "aztlan:"
HARD_LIMIT_SECONDS = 1800
SOFT_LIMIT_SECONDS = 1740


def broker_url(redis_url: str) -> str:
    """Return a Redis address as Celery writes it: unix sockets have another scheme there."""
    if not redis_url.startswith("unix://"):
        return redis_url
    path, _, query = redis_url.removeprefix("unix://").partition("?")
    database = dict(item.split("=", 1) for item in query.split("&") if "=" in item).get("db", "0")
    return f"redis+socket://{path}?virtual_host={database}"


def celery_settings(redis_url: str, queue: str) -> dict[str, Any]:
    """Return the settings: a message may come late or twice, but the broker never stalls a worker.

    A message is only a wake-up; the record is in PostgreSQL. Comments give the reasons.
    """
    return {
        "broker_url": broker_url(redis_url),
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,  # wait for a broker however long it is away
        "broker_transport_options": {
            # Longer than the hard limit, or a message would be handed out again while its task still runs.
            "visibility_timeout": HARD_LIMIT_SECONDS * 2,
            # What a killed worker held is handed out again within seconds, not minutes.
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "health_check_interval": 10,
            "socket_timeout": 30,
            "socket_connect_timeout": 5,
            "socket_keepalive": True,
            "global_keyprefix": QUEUE_PREFIX,
        },
        "task_default_queue": queue,
        "task_create_missing_queues": True,
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_ignore_result": True,
        "task_store_errors_even_if_ignored": False,
        "result_backend": None,
        "task_serializer": "json",
        "accept_content": ["json"],  # never pickle
        "task_time_limit": HARD_LIMIT_SECONDS,
        "task_soft_time_limit": SOFT_LIMIT_SECONDS,
        "worker_prefetch_multiplier": 1,
        "worker_pool": "prefork",
        "worker_cancel_long_running_tasks_on_connection_loss": False,  # it crashes the worker (celery #9250)
        "worker_soft_shutdown_timeout": 60,
        "worker_enable_remote_control": False,
        "worker_send_task_events": False,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "timezone": "UTC",
        "enable_utc": True,
    }


def match_host_settings() -> dict[str, Any]:
    return celery_settings(env.redis_url(), MATCHES_QUEUE)
