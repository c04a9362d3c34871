"""Rules, clocks and board are stored once for all matches that share them; old matches have their own."""

from dataclasses import asdict

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from arena.hosts.specs import read_match
from arena.matches.models import Match, MatchTerms
from tests.arena.cast import ask_for, finish, make_bot, make_season

pytestmark = pytest.mark.django_db
OWN = ("ruleset", "clocks", "board_id", "board_hash")


def test_matches_that_are_played_by_the_same_terms_share_them() -> None:
    season, versions = make_season(2), [make_bot("b0"), make_bot("b1")]
    matches = [ask_for(versions, season), ask_for(versions, season), ask_for(versions)]
    assert {match.terms_id for match in matches} == {MatchTerms.objects.get().pk}
    assert [match.own_ruleset for match in matches] == [None] * 3


def test_a_match_of_before_is_played_and_shown_as_one_with_terms(client: Client) -> None:
    versions = [make_bot("b0"), make_bot("b1")]
    match = ask_for(versions)
    spec, shown = read_match(match.pk), client.get(f"/api/v1/matches/{match.public_id}").json()
    own = {f"own_{name}": getattr(match, name) for name in OWN}
    Match.objects.filter(pk=match.pk).update(terms=None, **own)
    old = Match.objects.get(pk=match.pk)
    assert {name: getattr(old, name) for name in OWN} == {name: getattr(match, name) for name in OWN}
    assert asdict(read_match(match.pk)[0]) == asdict(spec[0])
    assert client.get(f"/api/v1/matches/{match.public_id}").json() == shown
    assert client.get("/matches/").status_code == 200
    finish(old)
    assert client.get(match.get_absolute_url()).status_code == 200


def test_a_match_without_any_terms_is_refused_by_the_database() -> None:
    match = ask_for([make_bot("b0"), make_bot("b1")])
    with pytest.raises(IntegrityError, match="matches_match_has_terms"), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(terms=None)
