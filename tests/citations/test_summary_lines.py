"""What of a summary's line stands: what its sources support, or the sections themselves tell."""

import pytest

from citations.check import check_sentences
from citations.evidence_span import SourcePassages
from citations.markers import strip_markers
from citations.summary_check import SectionFacts, keep_founded
from schema.documents import Passage

SECTION = """Watch two of the values [1].

| Metric | Warn | Wake somebody |
| --- | --- | --- |
| depth of the queue | 14,000 jobs [1] | 20,000 jobs for 10 minutes [1] |
| oldest job | 600 seconds [1] | 1,800 seconds [1] |
"""
PAGE = "| tarn_depth | 70 % | 100 %, 10 m |\n| tarn_oldest | 600 | 1800 |"


def keep(line: str) -> str:
    passage = Passage(chunk=1, document=1, start=0, end=len(PAGE), text=PAGE)
    found = check_sentences(line, {1: SourcePassages([passage], "en")}, "en")
    return keep_founded(line, found, SectionFacts([SECTION], [], "en"), "fact")


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("Wake somebody at 20,000 jobs for 10 minutes [1].", True),
        ("Wake somebody at 30,000 jobs for 10 minutes [1].", False),
        ("Painters mend the fence of the harbour for 10 minutes [1].", False),
    ],
)
def test_a_fact_of_a_section_s_table_stands_though_its_source_says_it_otherwise(
    line: str, kept: bool
) -> None:
    assert keep(line) == (line if kept else "")


def test_a_marker_goes_that_the_section_does_not_have_for_a_fact() -> None:
    passages = {
        n: SourcePassages([Passage(chunk=n, document=n, start=0, end=len(PAGE), text=PAGE)], "en")
        for n in (1, 2)
    }
    line = "Warn early (at 14,000 jobs of depth [2])."
    said = SectionFacts([f"{SECTION}\n\nClocks run on [2]."], [], "en")
    kept = keep_founded(line, check_sentences(line, passages, "en"), said, "fact")
    assert kept == "Warn early (at 14,000 jobs of depth)."


REFUSAL = "The server takes no jobs below three millions of slots [1]. It starts anew [1]."
RULES = "Jobs are declined by it once three millions of slots are left. Then it starts anew."


def keep_of(section: str, page: str, line: str) -> str:
    passage = Passage(chunk=1, document=1, start=0, end=len(page), text=page)
    found = check_sentences(line, {1: SourcePassages([passage], "en")}, "en")
    return keep_founded(line, found, SectionFacts([section], [], "en"), "fact")


def test_what_a_section_tells_in_these_words_stands_though_its_source_denies_nothing() -> None:
    line = "The server takes no jobs below three millions of slots [1]."
    assert keep_of(REFUSAL, RULES, line) == line
    assert keep_of("The server takes jobs [1].", RULES, line) == ""


def test_what_is_read_behind_a_cut_sentence_alone_goes_with_it() -> None:
    cut = "Painters mend 70 fences of the harbour [1]."
    assert keep_of(REFUSAL, RULES, f"{cut} It starts anew [1].") == ""
    assert keep_of(REFUSAL, RULES, f"{cut} The server starts anew [1].") != ""


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("Soil: painters mend 11 fences [1]. Wake somebody at 20,000 jobs for 10 minutes [1].", ""),
        (
            "Painters mend 11 fences [1]. Wake somebody at 20,000 jobs for 10 minutes [1].",
            "Wake somebody at 20,000 jobs for 10 minutes [1].",
        ),
        ("Painters mend 11 fences [1]. At 20,000 jobs the queue does no such harm [1].", ""),
    ],
)
def test_what_is_left_of_a_line_can_be_read_alone(line: str, kept: str) -> None:
    assert keep(line) == kept


ROAD = (
    "Brine stays on paths with kerbs, or without limes beside them [1]. Grit is dear in winter [1]."
)
PLACES = "Give each way its place: take the brine behind kerbs or away from limes [1]."


def test_a_position_has_no_label_and_its_advice_need_not_be_what_a_source_does() -> None:
    page = strip_markers(ROAD)
    sources = {
        1: SourcePassages([Passage(chunk=1, document=1, start=0, end=len(page), text=page)], "en")
    }
    found = check_sentences(PLACES, sources, "en")
    said = SectionFacts([ROAD], ["Give each way its place away from limes."], "en")
    kept = keep_founded(PLACES, found, said, "position")
    assert kept.startswith("Give each way its place: take the brine")
    unfounded = "Whales decide: they sing in 1834 [1]. Grit is dear in winter [1]."
    checked = check_sentences(unfounded, sources, "en")
    assert keep_founded(unfounded, checked, said, "position") == "Grit is dear in winter [1]."
    assert keep_founded(unfounded, checked, said, "conclusion") == ""
