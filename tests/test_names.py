"""One word, one meaning: no two packages have a class or a module of the same name by accident.

For the arena every app counts as a package. Whoever adds a pair below says why both must have that name.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "engine": ROOT / "engine",
    "contests": ROOT / "contests",
    "proto": ROOT / "proto",
    "workers": ROOT / "workers",
    "arena": ROOT / "arena",
    "aztlan": ROOT / "sdk" / "aztlan",
}
# Generated code, and files whose names Django, a template or a reader chooses.
LEFT_OUT = {"migrations", "management", "templatetags", "starters", "bot"}
CONVENTIONAL = {
    "__init__", "__main__", "admin", "api", "apps", "base", "errors", "forms", "models", "paging", "queries", "selectors",
    "serializers", "services", "settings", "tasks", "urls", "views",
}  # fmt: skip
ALLOWED_MODULES = {
    "visibility": "who may see what: of matches, which ask that of tournaments",
    "jsonlines": "the SDK's bridge and the hosts' runtime for the same JSON-lines protocol",
    "logs": "`aztlan logs` is a command, and commands have their own names",
    "match": "the model Match has its own file",
    "report": "the model MatchReport, which stores what workers.match.report sends, has its own file",
}
ALLOWED_CLASSES = {
    "Bot": "what authors derive from, and the model that the arena ranks: both are public names",
    "Match": "what a bot is told of its match, and the model: both are public names",
    "MatchReport": "the model stores what a host reports",
    "Change": "a bot's rating after a result; a step of a tournament's timeline",
    "Outcome": "how a match ended, read from the database; how a game ended on an author's own machine",
    "Table": "the lookups of the native kernel; the results that strengths are estimated from; where people play",
    "Strength": "the estimate, and the model that stores it",
    "State": "the state of a game; the state of a tournament is an enum of its models",
}


def modules(packages: dict[str, Path]) -> Iterator[tuple[str, Path]]:
    for package, folder in packages.items():
        for path in folder.rglob("*.py"):
            inner = path.relative_to(folder).parts
            if LEFT_OUT.isdisjoint(inner[:-1]):
                yield f"arena.{inner[0]}" if package == "arena" and len(inner) > 1 else package, path


def namesakes(named: Iterable[tuple[str, str, Path]]) -> dict[str, list[str]]:
    """Return the names that more than one package has, with the files."""
    places: dict[str, set[tuple[str, Path]]] = defaultdict(set)
    for name, package, path in named:
        places[name].add((package, path))
    return {
        name: sorted(str(path) for _, path in found)
        for name, found in places.items()
        if len({package for package, _ in found}) > 1
    }


def classes(packages: dict[str, Path]) -> Iterator[tuple[str, str, Path]]:
    for package, path in modules(packages):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef):
                yield node.name, package, path


def module_names(packages: dict[str, Path]) -> Iterator[tuple[str, str, Path]]:
    return ((path.stem, package, path) for package, path in modules(packages))


def test_no_two_packages_have_a_class_of_the_same_name() -> None:
    assert {
        name: files for name, files in namesakes(classes(PACKAGES)).items() if name not in ALLOWED_CLASSES
    } == {}


def test_no_two_packages_have_a_module_of_the_same_name() -> None:
    allowed = CONVENTIONAL | ALLOWED_MODULES.keys()
    assert {
        name: files for name, files in namesakes(module_names(PACKAGES)).items() if name not in allowed
    } == {}


def test_what_is_allowed_is_still_needed() -> None:
    assert ALLOWED_CLASSES.keys() <= namesakes(classes(PACKAGES)).keys()
    assert ALLOWED_MODULES.keys() <= namesakes(module_names(PACKAGES)).keys()


@pytest.mark.parametrize("package", ["arena/ladders", "arena/matches"])
def test_a_namesake_is_found(package: str, tmp_path: Path) -> None:
    for folder in (tmp_path / "engine", tmp_path / package):
        folder.mkdir(parents=True)
        (folder / "lease.py").write_text("class Lease:\n    pass\n")
    packages = {"engine": tmp_path / "engine", "arena": tmp_path / "arena"}
    assert list(namesakes(classes(packages))) == ["Lease"]
    assert list(namesakes(module_names(packages))) == ["lease"]
