"""Finds the commands that the documentation shows: in blocks of code, and within sentences."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").rglob("*.md")])
SHELL_BLOCK = re.compile(r"^```(?:sh|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
OTHER_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^    (\S.*)$", re.MULTILINE)
INLINE = re.compile(r"`([^`\n]+)`")
COMMENT = re.compile(r"\s+#.*$")
# A single word, as `psql` or `make`, only names a program.
PROGRAM = re.compile(
    r"(aztlan|make|(\.venv/bin/)?(python3?|pip|pytest)|manage\.py|npm|node|npx|docker|podman|kubectl|kustomize|systemctl"
    r"|journalctl|apt-get|sudo|cp|mv|curl|git|psql|pg_dump|pg_restore|redis-cli|celery|uvicorn|mkdocs|ruff|uv"
    r"|promtool|nginx|runsc|bwrap|\.) \S"
)


def shown_commands() -> dict[str, set[str]]:
    """Return every command with the names of the pages that show it."""
    found: dict[str, set[str]] = {}
    for page in PAGES:
        for command in commands_of(page.read_text()):
            found.setdefault(command, set()).add(str(page.relative_to(ROOT)))
    return found


def commands_of(text: str) -> list[str]:
    blocks = "\n".join(SHELL_BLOCK.findall(text))
    rest = OTHER_BLOCK.sub("", text)
    in_sentences = [one for one in [*INDENTED.findall(rest), *INLINE.findall(rest)] if PROGRAM.match(one)]
    lines = [*blocks.splitlines(), *in_sentences]
    return [COMMENT.sub("", line.removeprefix("$ ")).strip() for line in lines if line.strip()]


def is_name(command: str) -> bool:
    """Return whether a sentence only names a command of `aztlan`, as in "`aztlan play` prints who won"."""
    return re.fullmatch(r"aztlan [a-z-]+", command) is not None and command not in IN_BLOCKS


def is_walked(command: str) -> bool:
    """Return whether the walk through the ten-minute guide has to run it, with an arena at hand."""
    return (
        command.startswith(("aztlan ", "cd ", ". ")) and not is_name(command)
    ) or " tournament " in command


IN_BLOCKS = {
    line.removeprefix("$ ")
    for page in PAGES
    for block in SHELL_BLOCK.findall(page.read_text())
    for line in block.splitlines()
}
