"""Files in an S3 bucket, through django-storages; `arena_env.storage` reads its settings.

What fails becomes a StorageDownError, which pages, API and match hosts answer with 503: they try again. Files
are read whole, since none is larger than what a bot's build may be.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from io import BytesIO
from typing import Any

from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files import File
from storages.backends.s3 import S3Storage

from arena.storage_down import StorageDownError

MISSING = {"404", "NoSuchKey"}
FIXES = {
    "NoSuchBucket": "Create the bucket, or correct its name in ARENA_STORAGE.",
    "InvalidAccessKeyId": "Correct ARENA_S3_KEY_ID.",
    "SignatureDoesNotMatch": "Correct ARENA_S3_SECRET.",
    "AccessDenied": "Allow this key to get, put, list and delete objects in the bucket.",
    "403": "See whether ARENA_S3_KEY_ID and ARENA_S3_SECRET are right and may use the bucket.",
    "PermanentRedirect": "Set ARENA_S3_REGION to the bucket's region.",
    "AuthorizationHeaderMalformed": "Set ARENA_S3_REGION to the bucket's region.",
}
ELSE = "See whether ARENA_S3_ENDPOINT can be reached from here and works."


class Bucket(S3Storage):
    """A bucket that fails quickly, and in one sentence."""

    def get_default_settings(self) -> dict[str, Any]:
        quick = Config(
            connect_timeout=3, read_timeout=20, retries={"total_max_attempts": 2, "mode": "standard"}
        )
        defaults: dict[str, Any] = super().get_default_settings()
        return defaults | {
            "client_config": quick,
            # Threads of a transfer would outlive the request that is given up.
            "transfer_config": TransferConfig(use_threads=False),
        }

    def _open(self, name: str, mode: str = "rb") -> File:
        if mode != "rb":
            raise ValueError("Files in the storage never change: they are only read.")
        with self.translated():
            found = self.bucket.Object(self._normalize_name(name)).get()
            return File(BytesIO(found["Body"].read()), name)

    def _save(self, name: str, content: File) -> str:
        with self.translated():
            saved: str = super()._save(name, content)
            return saved

    def exists(self, name: str) -> bool:
        with self.translated():
            return bool(super().exists(name))

    def delete(self, name: str) -> None:
        with self.translated():
            super().delete(name)

    def size(self, name: str) -> int:
        with self.translated():
            return int(super().size(name))

    def get_modified_time(self, name: str) -> datetime:
        with self.translated():
            moment: datetime = super().get_modified_time(name)
            return moment

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        with self.translated():
            folders, files = super().listdir(path)
            return folders, files

    @contextmanager
    def translated(self) -> Iterator[None]:
        try:
            yield
        except ClientError as error:
            code = str(error.response.get("Error", {}).get("Code", ""))
            if code in MISSING:
                raise FileNotFoundError(f"The bucket {self.bucket_name} has no such file.") from error
            raise StorageDownError(
                f"The bucket {self.bucket_name} refuses: {error}. {FIXES.get(code, ELSE)}"
            ) from error
        except (BotoCoreError, OSError) as error:
            if isinstance(error, FileNotFoundError | StorageDownError):
                raise
            raise StorageDownError(
                f"The bucket {self.bucket_name} does not answer: {error}. {ELSE}"
            ) from error
