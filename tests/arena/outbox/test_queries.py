"""The statements of `arena.outbox.queries` do what their plain ORM forms do, on random data."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st

from arena.outbox import queries
from arena.outbox.models import Outbox
from bench import _plain_statements as plain
from tests.arena.statements import outcome

KINDS = ("settle", "mail")
payloads = st.dictionaries(st.sampled_from(["match", "mail", "é"]), st.integers() | st.text(max_size=5))
rows = st.lists(st.tuples(st.sampled_from(KINDS), payloads, st.integers(0, 2)), max_size=6)


def owed(data: list[tuple[str, dict[str, Any], int]]) -> list[int]:
    Outbox.objects.all().delete()
    return [Outbox.objects.create(kind=kind, payload=load, tries=tries).pk for kind, load, tries in data]


def as_data(taken: list[queries.Work]) -> list[tuple[Any, ...]]:
    return sorted((work.id, work.kind, json.loads(work.text), work.tries) for work in taken)


@hypothesis(max_examples=30)
@given(data=rows, at=st.integers(0, 6), tries=st.integers(0, 2))
@pytest.mark.django_db
def test_a_work_is_taken_for_one_try(
    data: list[tuple[str, dict[str, Any], int]], at: int, tries: int
) -> None:
    ids = [*owed(data), 0]
    pk = ids[min(at, len(ids) - 1)]
    (by_hand, rows_by_hand), (by_orm, rows_by_orm) = (
        outcome(lambda form=form: form(pk, tries), Outbox) for form in (queries.take, plain.take)
    )
    assert as_data([by_hand] if by_hand else []) == as_data([by_orm] if by_orm else [])
    assert rows_by_hand == rows_by_orm


@hypothesis(max_examples=30)
@given(data=rows, most=st.integers(1, 4))
@pytest.mark.django_db
def test_new_work_of_a_kind_is_taken(data: list[tuple[str, dict[str, Any], int]], most: int) -> None:
    owed(data)
    (by_hand, rows_by_hand), (by_orm, rows_by_orm) = (
        outcome(lambda form=form: form("settle", most), Outbox) for form in (queries.take_new, plain.take_new)
    )
    assert as_data(by_hand) == as_data(by_orm)
    assert rows_by_hand == rows_by_orm


@hypothesis(max_examples=20)
@given(data=rows, most=st.integers(0, 6))
@pytest.mark.django_db
def test_work_that_is_done_is_struck_off(data: list[tuple[str, dict[str, Any], int]], most: int) -> None:
    done = owed(data)[:most]
    (_, by_hand), (_, by_orm) = (
        outcome(lambda form=form: form(done), Outbox) for form in (queries.strike_off, plain.strike_off)
    )
    assert by_hand == by_orm
    assert len(by_hand["Outbox"]) == len(data) - len(done)
