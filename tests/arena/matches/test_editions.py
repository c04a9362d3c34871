"""Editions are called what people call them, in every form and in the language of whoever reads it."""

import pytest
from django import forms
from django.utils.translation import override

from arena.challenges.forms import ChallengeForm
from arena.play.forms import OfflineForm, TableForm
from arena.tournaments.forms import TournamentForm
from engine.rulesets import EDITIONS


@pytest.mark.parametrize("form", [ChallengeForm, OfflineForm, TableForm, TournamentForm])
def test_a_form_names_the_editions_as_the_pages_do(form: type[forms.BaseForm]) -> None:
    field = form.base_fields["edition"]
    with override("en"):
        assert ("english", "English rules") in field.choices  # type: ignore[attr-defined]  # a choice
    with override("de"):
        assert ("english", "Englische Regeln") in field.choices  # type: ignore[attr-defined]
    assert field.clean(EDITIONS[-1]) == EDITIONS[-1]
