"""Find code that nothing uses, with vulture: `python requirements/dead_code.py`, a part of `make lint`.

What only tests use counts as unused: such helpers belong into the tests. Names that strings or templates
mention count as used, since Django, Celery and our own listeners find code by its dotted name.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from vulture import Vulture  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("engine", "contests", "proto", "workers", "arena", "sdk/aztlan", "sdk/distribution", "bench")
LEFT_OUT = ["*_pb2*", "*/migrations/*", "*/starters/*"]
KINDS = {"function", "method", "class", "property", "import", "unreachable_code"}
DECORATORS = ["@shared_task*", "@register.*", "@admin.*", "@*.connect", "@action*", "@property"]
# Called by the framework or the library whose class it extends.
FRAMEWORK = {
    "Command", "getattr__", "allow_request", "authenticate_header", "close_extras", "destroy", "do_GET",
    "delete_queryset",
    "get_inlines", "is_reauthentication_required", "on_authentication_error",
    "get_permissions", "get_queryset", "get_security_definition", "get_serializer_class", "handle",
    "has_module_perms", "has_perm", "latest_post_date", "log_message", "lookups", "makefile",
    "partial_update", "perform_create",
    "process_exception",
    "readable", "readinto", "to_python", "to_url", "validate",
}  # fmt: skip
PATTERNS = re.compile(
    r"(clean|get|validate|has|item|visit|generic_visit)_\w+|\w+(Config|Admin|Inline)|test_\w+"
)
ALLOWED = {
    "Door": "of `aztlan.in_browser`: the worker in a reader's browser opens it",
    "GymVectorEnv": "of the SDK, for authors",
    "Champion": "of the SDK, for authors: a bot to read, to try and to extend",
    "Learned": "of the SDK, for authors: a bot to read, to try and to extend",
    "card_points": "of the SDK, for authors",
    "with_pawn": "of the SDK, for authors",
    "unused_cards": "of the SDK, for authors",
    "is_at": "of the kernel, for authors",
    "play_game": "of the SDK: a game among bots in one process",
    "SKIP": "of the kernel, for authors",
    "BAD_USE": "the exit code that argparse uses, listed beside ours",
    "fold": "rates a whole log: tests compare what is stored with it",
    "weigh": "a statistic of the library `contests`; so far only tests use it",
    "covers": "a statistic of the library `contests`; so far only tests use it",
    "estimate": "a statistic of the library `contests`; so far only tests use it",
    "BearerScheme": "drf-spectacular finds it by its base class",
    "output_tail": "of the protocol `Running`: for whoever looks into a bot that still runs",
}


def mentioned() -> set[str]:
    """Return every word of the strings in our code and of our templates."""
    words: set[str] = set()
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
                    words.update(re.findall(r"\w+", node.value))
        for path in (ROOT / folder).rglob("*.html"):
            words.update(re.findall(r"\w+", path.read_text("utf-8")))
    return words


def dead_code() -> Iterator[str]:
    vulture = Vulture(ignore_decorators=DECORATORS)
    vulture.scavenge([str(ROOT / folder) for folder in (*FOLDERS, "manage.py", "setup.py")], exclude=LEFT_OUT)
    used = mentioned() | FRAMEWORK | ALLOWED.keys()
    for item in vulture.get_unused_code(min_confidence=60):
        path = Path(item.filename).resolve().relative_to(ROOT)
        is_ours = path.name not in {"settings.py", "models.py"}  # Django reads what those declare
        if path.parts[0] == "bench":
            continue  # its scripts share helpers with measurements that are run by hand
        constant = item.typ == "variable" and item.name.isupper() and is_ours
        is_used = item.name.lstrip("_") in used or PATTERNS.fullmatch(item.name)
        if (item.typ in KINDS or constant) and not is_used:
            yield f"{path}:{item.first_lineno}: {item.message}: delete it, or move it to the tests"


if __name__ == "__main__":
    found = list(dead_code())
    print("\n".join(found) or "no dead code")
    sys.exit(1 if found else 0)
