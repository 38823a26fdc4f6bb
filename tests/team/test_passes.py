"""Passes between the processes of a team: theirs alone, for a while, unaltered."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.access import AccessError, Member
from schema.errors import InputError
from team.passes import PASS_SECONDS, make_pass, read_pass

ADA = Member(identity="ada", groups={"law": "writer"}, operator=True)


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret of the team."""
    monkeypatch.setenv("QUIRE_TEAM_SECRET", "s" * 32)


def test_a_pass_names_its_member() -> None:
    assert read_pass(make_pass(ADA)) == ADA


@given(st.integers(0, 400), st.characters(exclude_characters="\0"))
def test_an_altered_pass_is_refused(place: int, sign: str) -> None:
    given_ = make_pass(ADA)
    place %= len(given_)
    altered = given_[:place] + sign + given_[place + 1 :]
    if altered == given_:
        return
    with pytest.raises(AccessError, match="not valid"):
        read_pass(altered)


def test_a_pass_of_another_team_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = make_pass(ADA)
    monkeypatch.setenv("QUIRE_TEAM_SECRET", "t" * 32)
    with pytest.raises(AccessError, match="not valid"):
        read_pass(theirs)


def test_a_pass_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    given_, now = make_pass(ADA), time.time()
    monkeypatch.setattr("team.passes.time.time", lambda: now + PASS_SECONDS + 1)
    with pytest.raises(AccessError, match="no longer valid"):
        read_pass(given_)


@pytest.mark.parametrize("short", ["", "short"])
def test_without_a_secret_there_are_no_passes(monkeypatch: pytest.MonkeyPatch, short: str) -> None:
    monkeypatch.setenv("QUIRE_TEAM_SECRET", short)
    with pytest.raises(InputError, match="Set QUIRE_TEAM_SECRET"):
        make_pass(ADA)
