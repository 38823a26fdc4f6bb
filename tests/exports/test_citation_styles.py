"""Marks and reference lists in each citation style."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_report import reference

from citations.markers import find_markers
from exports.citation_styles import CitationStyle, MarkerPiece, ReferenceEntry, Style


def plain(pieces: list[MarkerPiece]) -> str:
    return "".join(piece.text for piece in pieces)


def named(language: str = "en", **told: str) -> str:
    """The mark of a lone reference."""
    return plain(CitationStyle([reference(1, **told)], "author-date", language).build_pieces([1]))


HOLM = {"author": "Anna Holm", "published": "2024-05-01"}


@pytest.mark.parametrize(
    ("author", "mark"),
    [
        ("Anna Holm", "(Holm 2024)"),
        ("Anna Holm, Bo Li", "(Holm & Li 2024)"),
        ("Anna Holm, Bo Li, Cy Day", "(Holm et al. 2024)"),
        ("Anna Holm et al.", "(Holm et al. 2024)"),
        ("World Health Organization", "(World Health Organization 2024)"),
    ],
)
def test_a_mark_names_the_authors_and_the_year(author: str, mark: str) -> None:
    assert named(author=author, published="2024-05-01") == mark


def test_without_an_author_the_site_the_host_the_title_or_the_number_is_named() -> None:
    url = "https://otters.example/food"
    assert named(site="Otters Today", url=url, title="Food") == "(Otters Today n.d.)"
    assert named(url=url, title="Food") == "(otters.example n.d.)"
    assert named(url="file:///a.pdf", title="Food") == "(“Food” n.d.)"
    assert named(url="file:///a%20b.pdf") == "(“a b.pdf” n.d.)"
    assert named() == "(№ 1 n.d.)"
    assert named(url="http://[") == "(№ 1 n.d.)"


@pytest.mark.parametrize(("language", "word"), [("de", "o. J."), ("zh", "无日期"), ("xx", "n.d.")])
def test_no_date_is_said_in_the_report_s_language(language: str, word: str) -> None:
    assert named(language, author="Anna Holm") == f"(Holm {word})"


def test_sources_of_one_name_and_year_have_letters() -> None:
    style = CitationStyle(
        [reference(1, **HOLM), reference(2, author="Bo Holm", published="2024"),
         reference(3, author="Holm"), reference(4, author="HÖLM"), reference(5, author="Holm",
         published="2023")],
        "author-date", "en",
    )  # fmt: skip
    assert plain(style.build_pieces([1, 2])) == "(Holm 2024a; Holm 2024b)"
    assert plain(style.build_pieces([3])) == "(Holm n.d.-a)"
    assert plain(style.build_pieces([4])) == "(HÖLM n.d.-b)"
    assert plain(style.build_pieces([5])) == "(Holm 2023)"


def test_the_list_is_by_number_or_by_name() -> None:
    three = [reference(1, author="Zoe Zed"), reference(2, author="Émile Ard"), reference(3, **HOLM)]
    assert [one.number for one in CitationStyle(three, "ieee", "en").build_entries()] == [1, 2, 3]
    assert [one.number for one in CitationStyle(three, "author-date", "en").build_entries()] == [
        2,
        3,
        1,
    ]


def entry(style: Style, **told: str) -> ReferenceEntry:
    """The entry of a lone reference."""
    [found] = CitationStyle([reference(1, **told)], style, "en").build_entries()
    return found


def test_an_entry_by_name_begins_as_its_mark_reads_and_says_nothing_twice() -> None:
    named_ = entry("author-date", title="Food", url="https://a.example/x", **HOLM)
    assert named_.before == "Holm, Anna (2024). “Food”, 2024-05-01, "
    assert (named_.address, named_.after) == ("https://a.example/x", ", accessed 2026-01-02.")
    sited = entry("author-date", site="Otters Today", title="Food", published="2024")
    assert sited.before == "Otters Today (2024). “Food”, "


def test_an_address_cannot_end_the_link_it_stands_in() -> None:
    address = entry("ieee", url="https://a.example/ x>`<b>").address
    assert address == "https://a.example/%20x%3E%60%3Cb%3E"
    assert not entry("ieee", url="javascript:alert(1)").linked


fragments = st.sampled_from(
    ["[1]", "[2]", "[3]", "[99]", "[1, 2]", "[" + "1" * 12 + "]", "[[1]]", "[", "]", "`a[1]`", "`",
     "```", "~~~", "\n", " ", "word", "。", "שלום", "🙂", "|", "[01]"]
)  # fmt: skip


@given(st.lists(fragments, max_size=14).map("".join))
def test_the_marks_rewritten_are_those_that_were_numbered(text: str) -> None:
    style = CitationStyle([reference(number) for number in (1, 2, 3)], "ieee", "en")
    seen: list[int] = []

    def written(pieces: list[MarkerPiece]) -> str:
        seen.extend(piece.number for piece in pieces if piece.number is not None)
        return plain(pieces)

    rewritten = style.rewrite_markers(text, written)
    assert seen == [number for number in find_markers(text) if number in (1, 2, 3)]
    assert rewritten == text.replace("[01]", "[1]") or "`" in text or "~" in text


@given(st.lists(st.builds(
    lambda author, site, year: {"author": author, "site": site, "published": year},
    st.sampled_from(["", "Holm", "Anna Holm", "Holm; Li; Day", "(a) [b]; {c}", "«»"]),
    st.sampled_from(["", "a.example", "[1]"]), st.sampled_from(["", "2024", "2024-05"]),
), max_size=30))  # fmt: skip
def test_no_two_references_have_one_mark(told: list[dict[str, str]]) -> None:
    references = [reference(number, **one) for number, one in enumerate(told, 1)]
    style = CitationStyle(references, "author-date", "en")
    written = [plain(style.build_pieces([one["number"]])) for one in references]
    assert len({mark.casefold() for mark in written}) == len(written)
    assert all(mark.count("(") == mark.count(")") == 1 and "[" not in mark for mark in written)


@pytest.mark.parametrize("style", ["ieee", "author-date"])
def test_an_open_copy_and_a_retraction_are_told_without_markup(style: Style) -> None:
    hostile = 'https://a.test/*x*_[y](z)"<b>`'
    one = reference(1, "Otters", url="https://a.test/")
    one["copy"] = {"of": hostile, "version": "a version of its own"}
    one["retraction"] = {"kind": "concern", "day": "", "notice": hostile}
    (entry,) = CitationStyle([one], style, "en").build_entries()
    assert "read as an open copy of https://a.test/%2Ax%2A_%5By%5D(z)%22%3Cb%3E%60" in entry.after
    assert "(an expression of concern was published, https://a.test/" in entry.after
