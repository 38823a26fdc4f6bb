"""Kinds of sources, by their addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.web.source_kinds import (
    describe_source_kind,
    name_source_kind,
    rank_source_kind,
)


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("", "own document"),
        ("file:///notes/pumps.md", "own document"),
        ("https://eur-lex.europa.eu/eli/reg/2016/679", "law"),
        ("https://environment.ec.europa.eu/topics", "public authority"),
        ("https://www.epa.gov/pumps", "public authority"),
        ("https://www.rfc-editor.org/rfc/rfc9110", "standard"),
        ("https://arxiv.org/abs/2401.00001", "scientific paper"),
        ("https://docs.pumps.test/seals", "official documentation"),
        ("https://pumps.test/docs/seals", "official documentation"),
        ("https://pumps.readthedocs.io/", "official documentation"),
        ("https://github.com/pumps/pump/blob/main/docs/a.md", "code repository"),
        ("https://de.wikipedia.org/wiki/Pumpe", "encyclopaedia"),
        ("https://www.reuters.com/pumps", "news"),
        ("https://pumps.test/news/2024", "news"),
        ("https://blog.pumps.test/seals", "blog"),
        ("https://someone.medium.com/seals", "blog"),
        ("https://diy.stackexchange.com/questions/1", "forum"),
        ("https://forum.pumps.test/docs/1", "forum"),
        ("https://notreddit.com/", "web page"),
        ("https://pumps.test/docstore", "web page"),
        ("https://[/", "web page"),
    ],
)
def test_an_address_says_the_kind(address: str, kind: str) -> None:
    assert name_source_kind(address) == kind


@pytest.mark.parametrize(
    ("address", "site", "told"),
    [
        ("https://pumps.test/a", "Pumps Daily", ""),
        ("file:///pumps/a.html", "", ""),
        ("file:///pumps/a.html", "Pumps 15.18 Documentation", "official documentation"),
        ("https://pumps.test/a", "Pumps Reference Manual", "official documentation"),
        ("https://forum.pumps.test/a", "Pumps Manual", "forum"),
    ],
)
def test_a_kind_is_told_where_it_says_something(address: str, site: str, told: str) -> None:
    assert describe_source_kind(address, site) == told


@given(st.text())
def test_any_address_has_a_kind(address: str) -> None:
    assert rank_source_kind(name_source_kind(address)) in (0, 1, 2)
