"""The runtime as a contract: what is promised, what is compared, what is shown."""

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.host import proof
from workers.runtimes.contract import CONTRACT, RUNTIME, Component, broken_promises, numbers, python_modules
from workers.runtimes.inventory import versions_of
from workers.runtimes.registry import LANGUAGES

PAGE = Path(__file__).parents[3] / "docs" / "runtimes.md"
KEPT = {"Python": "3.11.2", "aztlan": "0.1.0", "numpy": "2.4.6", "onnxruntime": "1.31.1", "grpcio": "1.85.1",
        "protobuf": "7.36.2", "typing_extensions": "4.16.0"}  # fmt: skip


def test_every_language_has_its_promises() -> None:
    assert list(CONTRACT) == list(LANGUAGES)


def test_the_page_says_what_the_code_says() -> None:
    text = PAGE.read_text("utf-8")
    assert f"`{RUNTIME}`" in text
    told = re.findall(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE)
    promised = [(one.name, one.versions, one.what) for parts in CONTRACT.values() for one in parts]
    assert told == promised
    assert re.findall(r"^## (\S+)$", text, re.MULTILINE) == list(CONTRACT)


@pytest.mark.parametrize(
    ("version", "holds"),
    [
        ("3.11", True),
        ("3.11.0rc1", True),
        ("3.9.20", False),
        ("3.100", True),
        ("4.0", False),
        ("", False),
        ("?", False),
    ],
)
def test_a_version_is_compared_by_its_numbers(version: str, holds: bool) -> None:
    assert Component("Python", "", "3.11", "4").holds(version) is holds


@given(
    st.lists(st.integers(0, 999), min_size=1, max_size=4),
    st.lists(st.integers(0, 999), min_size=1, max_size=4),
)
def test_numbers_order_versions(one: list[int], other: list[int]) -> None:
    texts = [".".join(map(str, parts)) for parts in (one, other)]
    assert (numbers(texts[0]) < numbers(texts[1])) == (tuple(one) < tuple(other))


def test_a_host_that_has_all_breaks_no_promise() -> None:
    assert broken_promises("Python", KEPT) == []


def test_what_is_missing_or_too_old_is_said_by_name() -> None:
    broken = broken_promises("Python", {**KEPT, "numpy": "1.26.4", "onnxruntime": ""})
    assert broken == [
        f"numpy is 1.26.4; {RUNTIME} promises 2 or later, below 3.",
        f"onnxruntime is missing; {RUNTIME} promises 1.20 or later, below 2.",
    ]


def test_this_machine_keeps_the_promise_for_python() -> None:
    assert broken_promises("Python", versions_of("Python")) == []


async def test_a_host_that_breaks_a_promise_plays_no_such_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "versions_of", lambda _: {**KEPT, "numpy": "1.26.4"})
    found = await proof.prove_language(None, "Python")  # type: ignore[arg-type]  # it is not even asked
    assert not found.works
    assert "numpy is 1.26.4" in found.trouble


def test_promised_modules_are_importable_here() -> None:
    for name in python_modules():
        __import__(name)
        assert name in sys.modules
