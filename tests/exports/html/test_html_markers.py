"""Marks in the HTML of a report: each tied to its sentence, its proof and its reference."""

from urllib.parse import unquote

import pytest
from hostile_html import HOSTILE
from html_pages import UNDRAWN, card_of, marks_of, one_section, page, said, sample
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from sample_report import REPORT

from citations.markers import find_markers as numbers_in
from exports.html.markers import insert_tokens
from exports.html.page import render_html
from exports.tree.tokens import PLACEHOLDER, strip_tokens
from schema.report import Report, ReportSection


@pytest.mark.slow
def test_every_citation_is_on_the_card_of_a_mark_in_its_section_word_for_word() -> None:
    found = sample()
    for cited in REPORT["citations"]:
        cards = [
            card_of(found, mark)
            for mark in marks_of(found, cited["section"] + 1)
            if mark.get("href") == f"#source-{cited['number']}"
        ]
        shown = [(said(q), said(q.getparent())) for c in cards for q in c.cssselect("mark")]
        assert (cited["quote"], f"…{cited['before']}{cited['quote']}{cited['after']}…") in shown


@pytest.mark.slow
def test_a_number_cited_twice_shows_for_each_sentence_what_the_source_says_of_it() -> None:
    found = sample()
    second = [mark for mark in marks_of(found, 1) if said(mark) == "[2]"]
    assert [mark.get("class") for mark in second[:2]] == ["mark partial", "mark contradicted"]
    told = [said(card_of(found, mark)) for mark in second[:2]]
    assert "Not in the source: two." in told[0]
    assert "The source may say otherwise: cannot. Not in the source: ten metres." in told[1]
    assert '"97 metres" <and deeper>' in told[1]
    assert "supported in part (by words and figures)" in told[0]
    assert "contradicted by the source (by a language model)" in told[1]
    assert second[1].get("aria-label") == "[2], contradicted by the source"


def test_of_two_sentences_one_of_which_is_part_of_the_other_each_mark_has_its_own() -> None:
    text = "Otters eat fish [1]. All otters say that Otters eat fish [1]."
    short = {**REPORT["citations"][0], "sentence": "Otters eat fish [1].", "quote": "short"}
    long = {**short, "sentence": "All otters say that Otters eat fish [1].", "quote": "long"}
    found = page(sections=[ReportSection(title="a", text=text)], citations=[short, long])
    quotes = [said(card_of(found, m).cssselect("mark")[0]) for m in marks_of(found, 1)]
    assert quotes == ["short", "long"]


def test_every_mark_of_a_reference_resolves_and_the_reference_leads_back() -> None:
    found = sample()
    marks = found.cssselect("a.mark")
    texts = [one["text"] for one in REPORT["sections"]]
    texts += [one["sentence"] for one in REPORT["conflicts"]]
    cited = [number for text in texts for number in numbers_in(text) if number != 99]
    assert sorted(int(mark.get("href").removeprefix("#source-")) for mark in marks) == sorted(cited)
    for mark in marks:
        entry = found.get_element_by_id(mark.get("href")[1:])
        assert f"#{mark.get('id')}" in [back.get("href") for back in entry.cssselect(".back a")]


def test_numbers_in_code_and_of_no_reference_are_left_alone() -> None:
    found = sample()
    assert "counts[1] / counts[0]  # [1] is an index here, and <b>no mark</b>" in said(
        found.cssselect("pre")[0]
    )
    assert "counts[2]" in [said(code) for code in found.cssselect("code")]
    assert not found.cssselect("code a")
    assert "so is [99], which" in said(found.get_element_by_id("section-2"))


def test_a_sentence_that_does_not_stand_is_marked_and_no_other() -> None:
    found = sample()
    doubted = {
        kind: " ".join("".join(map(said, found.cssselect(f"#section-1 .doubt.{kind}"))).split())
        for kind in ("contradicted", "absent")
    }
    assert doubted == {
        "contradicted": "They cannot dive deeper than ten metres ⚠.",
        "absent": "Some say that otters pay for fish with coins ⚠.",
    }


def test_what_is_doubtful_ends_with_its_sentence_or_else_with_its_paragraph() -> None:
    text = "Good. Bad [1]. Good.\n\nA `b. c` d.\n\nGood."
    cited = [
        {**REPORT["citations"][0], "sentence": said, "verdict": "absent"}
        for said in ("Bad [1].", "A `b.")
    ]
    found = page(sections=[ReportSection(title="Section", text=text)], citations=cited)
    doubted = [said(one) for one in found.cssselect(".doubt")]
    assert doubted == ["Bad ", ".", "A ", "b. c", " d."]


def test_a_row_of_a_table_that_does_not_stand_is_still_a_row() -> None:
    row = "| urchins | 41 % [1] | 3 |"
    cited = [{**one, "verdict": "absent"} for one in REPORT["citations"] if one["sentence"] == row]
    found = page(citations=cited)
    cells = found.cssselect("#section-1 tbody tr:first-child td")
    assert [said(cell.cssselect(".doubt")[0]).strip() for cell in cells] == ["urchins", "41 %", "3"]


def test_a_mark_in_a_link_stands_behind_it_and_one_in_an_address_is_part_of_it() -> None:
    found = one_section("[a [1] b](https://x.example/[2]) c")
    link, mark = found.cssselect("#section-1 > p > a")
    assert (said(link), unquote(link.get("href"))) == ("a  b", "https://x.example/[2]")
    assert said(mark) == "[1]"


def test_marks_by_author_and_year_lead_to_the_same_cards() -> None:
    found = html.document_fromstring(
        render_html(Report(**{**REPORT, "charts": UNDRAWN}), "author-date")
    )
    first, second = marks_of(found, 1)[1:3]
    assert (said(first), said(second)) == ("Holm & Li 2024", "Holm 2019")
    assert said(card_of(found, second).cssselect("mark")[0]).startswith("Kelp returns")
    assert "(Holm & Li 2024; Holm 2019)" in said(found)


@given(st.lists(st.sampled_from([*HOSTILE, "[1].", "a [2]b"]) | st.text(max_size=5)).map("".join))
def test_text_with_its_tokens_taken_out_again_is_the_text(text: str) -> None:
    cited = [{**REPORT["citations"][0], "sentence": text[3:9], "verdict": "absent"}]
    tokens, marks = insert_tokens(text, cited, {1, 2}, 5)  # type: ignore[arg-type]
    assert strip_tokens(tokens) == text.replace(PLACEHOLDER, "")
    assert [mark.position for mark in marks] == list(range(5, 5 + len(marks)))
