"""Owed work is taken by hand as the ORM would take it, on random data."""

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
# PostgreSQL stores no NUL; whoever sends one is told so before work is owed (arena/pages/storable.py).
words = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5)
payloads = st.dictionaries(st.sampled_from(["match", "mail", "é"]), st.integers() | words)
rows = st.lists(st.tuples(st.sampled_from(KINDS), payloads, st.integers(0, 2)), max_size=6)


def owed(data: list[tuple[str, dict[str, Any], int]]) -> list[int]:
    Outbox.objects.all().delete()
    return [Outbox.objects.create(kind=kind, payload=load, tries=tries).pk for kind, load, tries in data]


@hypothesis(max_examples=30)
@given(data=rows, most=st.integers(1, 4))
@pytest.mark.django_db
def test_new_work_of_a_kind_is_taken(data: list[tuple[str, dict[str, Any], int]], most: int) -> None:
    owed(data)
    (by_hand, rows_by_hand), (by_orm, rows_by_orm) = (
        outcome(lambda form=form: form("settle", most), Outbox) for form in (queries.take_new, plain.take_new)
    )
    assert sorted(work.id for work in by_hand) == sorted(work.id for work in by_orm)
    assert {work.id: work for work in by_hand} == {work.id: work for work in by_orm}
    assert rows_by_hand == rows_by_orm
