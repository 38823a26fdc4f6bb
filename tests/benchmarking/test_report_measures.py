"""The measures of a report, on reports small enough to be counted by hand."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_reports import BRIDGE, DAM, MARKDOWN, WEB, citation, freshwiki, paper

from benchmarks.measures.citing import coverage, integrity, verdicts
from benchmarks.measures.reading import Listed, Paper, Section, from_markdown
from benchmarks.measures.shape import (
    articles,
    balance,
    entity_recall,
    gini,
    redundancy,
    soft_recall,
)


def test_markdown_is_read_with_its_marks_and_its_list() -> None:
    read = from_markdown(MARKDOWN)
    assert read.titles == ["The dam"]
    assert [section.title for section in read.sections] == ["", "How it was paid"]
    assert read.headings == ["How it was paid", "Tolls"]
    assert [one.url for one in read.references] == [
        f"{WEB}/dam_(1962)", f"{WEB}/bridge", f"{WEB}/tolls"
    ]  # fmt: skip
    assert read.sections[0].text == f"{DAM} [1][2]."
    assert integrity(read).share == 1


@pytest.mark.parametrize(
    "listing",
    ["**Sources:**\n\n1. A https://a.org/x.\n2. B https://b.org", "Sources:\n[1] A https://a.org/x\n",
     "### 参考文献\n- 【1】A https://a.org/x", "## Quellen\n1) A <https://a.org/x>",
     "[^1]: A https://a.org/x", "## References\n\\[1\\] A https://a.org/x",
     "## IV. Works Cited\n\n[1]. A (https://a.org/x)"],
)  # fmt: skip
def test_lists_of_sources_are_found_under_their_many_names(listing: str) -> None:
    read = from_markdown(f"# T\n\n{DAM} [1].\n\n{listing}\n")
    assert read.references[0] == Listed(1, "https://a.org/x")
    assert [section.text for section in read.sections] == [f"{DAM} [1]."]


def test_a_year_in_brackets_is_no_mark_and_code_no_heading() -> None:
    read = from_markdown(f"# T\n\n{DAM} [1962] [1].\n\n```sh\n# comment\n```\n\n# Sources\n1. A\n")
    assert integrity(read).dangling == 0
    assert read.headings == []


def test_what_holds_is_a_share_of_marks_references_addresses_and_quotes() -> None:
    whole = paper("One [1][2].", citations=[citation(sentence="One [1][2].")])
    checked = integrity(whole)
    assert (checked.checks, checked.share) == (2 + 2 + 2 + 1, 1.0)
    broken = integrity(
        paper("One [1][7].", urls=(f"{WEB}/a", "http://[", f"{WEB}/a/?utm_source=x"))
    )
    assert (broken.dangling, broken.unused, broken.bad_urls) == (1, 2, 2)
    assert broken.share == pytest.approx(1 - 5 / 8)
    assert integrity(paper("Nothing is cited.", urls=())).share == 0


@pytest.mark.parametrize(
    "url", ["http://[", "https://", "no address", "http://a.b/c d", "http://a:port/"]
)
def test_what_is_no_address_is_told(url: str) -> None:
    assert integrity(paper("One [1].", urls=(url,))).bad_urls == 1


@pytest.mark.parametrize("url", [f"{WEB}/a", "http://127.0.0.1:8000/x", "file:///a/b.md"])
def test_web_pages_and_files_are_addresses(url: str) -> None:
    assert integrity(paper("One [1].", urls=(url,))).bad_urls == 0


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({}, False),
        ({"quote": "", "end": 4}, True),
        ({"end": 12}, True),
        ({"sentence": "Not in the text [1]."}, True),
        ({"section": 4}, True),
    ],
)
def test_a_quote_is_as_long_as_its_span_and_its_sentence_in_its_section(
    changes: dict[str, Any], wrong: bool
) -> None:
    given = paper(f"{DAM} [1].", citations=[citation(**changes)])
    assert integrity(given).misquoted == wrong


@pytest.mark.parametrize(
    ("stored", "wrong"),
    [
        ("Yes. The dam is high.", True),
        ("Yes.The dam is high.", True),
        ("The  The dam is", True),
        ("", True),
    ],
)
def test_a_quote_stands_where_it_says_in_the_stored_text(stored: str, wrong: bool) -> None:
    given = paper(f"{DAM} [1].", citations=[citation()])
    assert integrity(given, {"file:dam": stored}).misquoted == wrong
    right = paper(f"{DAM} [1].", citations=[citation(start=5, end=12)])
    assert integrity(right, {"file:dam": "Yes. The dam is high."}).misquoted == 0


def test_sentences_and_paragraphs_that_state_something_are_counted() -> None:
    text = f"{DAM} [1]. {BRIDGE}.\n\nWhy was the dam built so late? In short, it was like this:"
    text += f"\n\n- {DAM} [2]\n\n### A heading of some length\n\n{BRIDGE}.\n\nToo short. Yes [1]."
    covered = coverage(paper(text, f"{BRIDGE} [1]."))
    assert covered.sentences == pytest.approx(4 / 6)
    assert covered.paragraphs == pytest.approx(4 / 5)
    assert coverage(paper("Why so?", urls=())).sentences == 0


def test_the_first_row_of_a_table_states_nothing() -> None:
    text = "| what was built and when | source of it |\n| :-- | --- |\n| the dam of 1962 | [1] |"
    assert coverage(paper(text)).sentences == 1


def test_density_and_sites_are_counted() -> None:
    covered = coverage(
        paper(
            "x" * 995 + " [1][1][2][3].", urls=(f"{WEB}/a", "https://www.example.org/b", "file:/c")
        )
    )
    assert covered.per_1000 == pytest.approx(4, rel=0.01)
    assert (covered.domains, covered.top_domain) == (2, 0.75)


def test_verdicts_are_shares_of_the_citations() -> None:
    kinds = ["supported", "supported", "partial", "absent"]
    given = paper("One.", citations=[citation(verdict=kind) for kind in kinds])
    assert verdicts(given) == {"supported": 0.5, "partial": 0.25, "absent": 0.25}
    assert verdicts(paper("One.")) is None


def test_a_paragraph_of_another_section_is_found_again() -> None:
    again = redundancy(paper(f"{DAM} [1].", f"{BRIDGE}.\n\nIt is said: {DAM} [2]."))
    assert (again.paragraphs, again.repeated) == (3, 0)
    assert again.near == pytest.approx(2 / 3)
    assert again.largest == 1


def test_what_a_section_says_twice_itself_is_no_second_section() -> None:
    again = redundancy(paper(f"{DAM} [1].\n\n{DAM} [2].", BRIDGE))
    assert (again.near, again.largest, again.repeated) == (0, 0, 1)


def test_a_common_phrase_is_no_repetition_and_headings_do_not_count() -> None:
    other = "Nobody knows today where in the summer of 1962 by the lake all those boats had gone to"
    again = redundancy(paper(f"### {BRIDGE}\n\n{DAM}.", f"### {BRIDGE}\n\n{other}."))
    assert 0 < again.largest <= 0.3
    assert (again.paragraphs, again.near) == (2, 0)


def test_text_without_blanks_is_compared_too() -> None:
    text = "这座大坝建于一九六二年夏天，由九百名工人建造完成。"
    given = Paper(["坝"], "zh", [Section("一", text), Section("二", text)], [])
    assert redundancy(given).near == 1


@pytest.mark.parametrize(
    ("lengths", "value"), [([5, 5, 5], 0), ([0, 0, 9], 2 / 3), ([1, 3], 0.25), ([], 0), ([0], 0)]
)
def test_the_gini_coefficient_of_known_lengths(lengths: list[int], value: float) -> None:
    assert gini(lengths) == pytest.approx(value)


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=20), st.integers(2, 9))
def test_the_gini_coefficient_knows_neither_order_nor_scale(lengths: list[int], by: int) -> None:
    assert 0 <= gini(lengths) < 1
    assert gini(lengths[::-1]) == pytest.approx(gini(lengths))
    assert gini([by * one for one in lengths]) == pytest.approx(gini(lengths))


def test_a_section_of_headings_alone_is_empty() -> None:
    uneven, empty = balance(paper(f"{DAM}.", "### Nothing below", f"{DAM}."))
    assert empty == 1
    assert uneven == pytest.approx(1 / 3)


headings = st.lists(
    st.sampled_from(["Background", "Aftermath", "Economic loss", "The losses", "影响", "Attack"]),
    max_size=5,
)


@given(headings, headings)
def test_recall_of_headings_is_a_share_and_grows_with_headings(
    wanted: list[str], found: list[str]
) -> None:
    recall = soft_recall(wanted, found)
    assert 0 <= recall <= 1 + 1e-9
    if wanted:
        assert soft_recall(wanted, [*found, *wanted]) == pytest.approx(1)
    assert soft_recall(wanted, found[::-1]) == pytest.approx(recall)


def test_a_similar_heading_is_worth_a_part() -> None:
    same, near, far = (soft_recall(["Economic loss"], [one]) for one in
                       ("ECONOMIC LOSS", "Economic losses", "Attack"))  # fmt: skip
    assert same == pytest.approx(1)
    assert far < 0.2 < near < 1


def test_names_are_found_as_whole_words() -> None:
    text = "The Crimean Bridge was closed. Kerchans live near it."
    assert entity_recall(["crimean bridge", "Kerch", "the crimean bridge!"], text) == 2 / 3
    assert entity_recall([], text) == 0


def test_an_article_is_its_headings_without_the_apparatus(tmp_path: Path) -> None:
    [(name, article)] = articles(freshwiki(tmp_path)).items()
    assert name == "the dam"
    assert list(article.headings) == ["Building", "Tolls"]
