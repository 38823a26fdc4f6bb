"""Authors as sources give them, told apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.author_names import AuthorName, Authors, parse_authors

HOLM, LI = AuthorName("Holm", "Anna"), AuthorName("Li", "Bo")


@pytest.mark.parametrize(
    "author", ["Anna Holm, Bo Li", "Holm, Anna; Li, Bo", "Anna Holm and Bo Li", "Anna Holm & Bo Li",
               "Anna Holm; Bo Li", "Holm, Anna and Li, Bo", " Anna  Holm ,Bo Li, "]
)  # fmt: skip
def test_two_people_are_found_however_they_are_listed(author: str) -> None:
    assert parse_authors(author) == Authors([HOLM, LI])


@pytest.mark.parametrize(
    "author",
    ["World Health Organization", "Food and Drug Administration", "Apple, Inc.", "Reuters", "jdoe",
     "Procter & Gamble", "Wikipedia contributors", "bell hooks", "Agence 7"],
)  # fmt: skip
def test_what_is_not_all_people_is_one_organisation(author: str) -> None:
    assert parse_authors(author) == Authors([AuthorName(author)])


@pytest.mark.parametrize(
    ("author", "name"),
    [
        ("Ludwig van Beethoven", AuthorName("van Beethoven", "Ludwig")),
        ("Holm AK", AuthorName("Holm", "AK")),
        ("John Smith Jr.", AuthorName("Smith", "John Jr.")),
        ("Jane Doe, PhD", AuthorName("Doe", "Jane PhD")),
        ("山田 太郎", AuthorName("山田", "太郎")),
        ("张伟", AuthorName("张伟")),
        ("A. Author", AuthorName("Author", "A.")),
    ],
)
def test_the_family_name_is_where_its_language_has_it(author: str, name: AuthorName) -> None:
    assert parse_authors(author).names == [name]


def test_others_are_remembered_and_not_named() -> None:
    assert parse_authors("Anna Holm, Bo Li et al.") == Authors([HOLM, LI], others=True)
    assert parse_authors("张伟, 李娜 等") == Authors(
        [AuthorName("张伟"), AuthorName("李娜")], others=True
    )
    assert parse_authors(" , ;").names == []


@given(st.text(alphabet="Aa .,;&|和等\n\t'’-éΩ张م1" + "and", max_size=40))
def test_every_name_has_a_family_part_and_no_line_break(author: str) -> None:
    for name in parse_authors(author).names:
        assert name.family.strip()
        assert "\n" not in "".join(name)
