"""Which sentences the extractive model takes into a report: whole ones that stand alone."""

import pytest
from extractive_prompts import written

from models.extractive.readable import is_fragment, is_readable, refers_back
from prompts.template import SourceText

WHOLE = (
    "BM25 is strongest on exact names, error codes and rare technical terms.",
    "Robertson, Walker and colleagues developed BM25 in the Okapi system in 1994.",
    "PostgreSQL provides several index types: B-tree, Hash, GiST, GIN, and the extension bloom.",
    "A landlord who objects must name a reason of section 14 and prove it.",
    "Das Pfand beträgt 6 Euro je Kiste.",
    "Upgrade to PostgreSQL 14.2 before the next dump is taken.",
    "The mean rose from 43.5 alone to 57.5 and 51.8 when both were fused.",
    "There are two kinds of indexes that speed up full text searches: GIN and GiST.",
    "Es gibt zwei Arten von Heizungen, die ohne Gas auskommen: Wärmepumpen und Pelletkessel.",
    "Il existe deux familles de chaudières qui se passent de gaz dans une maison.",
    "La bomba de calor gasta menos energía que la caldera de gas en una casa aislada.",
    "向量检索把文本变成数字，并寻找最近的邻居。",
    "البحث عن المتجهات القريبة يجد النصوص التي تتشابه في المعنى.",
)
LISTED = (
    "Full Text Search Table of Contents 12.1.",
    "SP-GiST Without Node Labels 69.4.3.",
    "Introduction 68.1. Built-in Operator Classes 68.2. Extensibility 68.3. Examples.",
    "Home | Documentation | Blog | About us and our team | Contact us.",
    "Chapter One ........ 12 Chapter Two ........ 48 and so on.",
    "For more information see the chapter on indexes of the manual.",
    "See also the list of functions at the end of the book.",
    "Siehe auch das Kapitel über Wärmepumpen im Anhang des Buches.",
    "Voir aussi le chapitre sur les pompes à chaleur en fin d'ouvrage.",
    "Véase también el capítulo sobre bombas de calor al final del libro.",
    "另见本书末尾关于索引的章节和附录。",
    "(Matters more for a GiST index than for a GIN index of the same table.)",
)
LEANING = (
    "It also keeps the words of all documents in memory.",
    "Another advantage is that searches will be faster.",
    "If they were affected, the index contents might be inconsistent.",
    "Because of this the query is slow on large tables.",
    "The examples in the previous section use constant strings.",
    "The operator classes are listed in Table 68.1 of the manual.",
    "Section 12.3 showed how raw queries are converted.",
    "Specifies a fraction of the table size to add to the threshold.",
    "Außerdem senkt die Dämmung den Verbrauch um ein Drittel.",
    "En outre, la pompe à chaleur réduit la facture d'un tiers.",
    "Además, la bomba de calor reduce la factura en un tercio.",
    "因此它的查询速度会慢很多。",
)


@pytest.mark.parametrize("text", WHOLE)
def test_a_sentence_that_stands_alone_is_taken(text: str) -> None:
    assert is_readable(text)
    assert not refers_back(text)


@pytest.mark.parametrize("text", LISTED)
def test_entries_of_contents_lists_menus_and_pointers_are_not(text: str) -> None:
    assert not is_readable(text)


@pytest.mark.parametrize("text", LEANING)
def test_a_sentence_that_leans_on_another_is_told(text: str) -> None:
    assert refers_back(text)


@pytest.mark.parametrize(
    ("text", "is_item", "expected"),
    [
        ("Replicating between different major versions of the server.", False, True),
        ("Giving access to replicated data to different groups of users.", False, True),
        ("Choosing the number of lists is a trade-off of speed and recall.", False, False),
        ("Better support for the index types of the planner.", True, True),
        ("Better support for the index types of the planner.", False, False),
        ("Set the value to a quarter of the memory.", True, False),
        ("The server keeps all rows of the table in memory.", True, False),
        ("Der Kessel speichert die Wärme bis in die Nacht.", True, False),
    ],
)
def test_an_entry_of_a_list_without_a_verb_is_a_fragment(
    text: str, is_item: bool, expected: bool
) -> None:
    assert is_fragment(text, is_item=is_item) == expected


LEADING = "A lighthouse is a tower that guides ships at night with a strong lamp."
FOLLOWING = "It also warns ships of rocks with a lighthouse horn in fog."


def test_a_sentence_that_leans_on_the_one_before_comes_with_it_or_not_at_all() -> None:
    together = SourceText(1, "Lighthouses", (f"{LEADING} {FOLLOWING}",))
    apart = SourceText(1, "Lighthouses", (f"{LEADING} Ropes are wet. {FOLLOWING}",))
    asked = ["How does a lighthouse guide and warn ships?"]
    assert "It also warns" in written([together], asked)
    assert "It also warns" not in written([apart], asked)
    assert "A lighthouse is a tower" in written([apart], asked)


def test_a_section_that_would_be_empty_takes_what_leans_on_others() -> None:
    alone = SourceText(1, "Lighthouses", (FOLLOWING,))
    assert "It also warns" in written([alone], ["How does a lighthouse warn ships?"])


COMPARED = SourceText(
    1,
    "Heating",
    (
        "A heat pump takes warmth out of the air and heats a house with it. A heat pump needs a "
        "third of the power that it gives. Heat pumps work best in houses with good walls. "
        "Boilers that burn gas heat a house at any temperature.",
    ),
)


@pytest.mark.parametrize(
    "question",
    [
        "What is the difference between heat pumps and gas boilers?",
        "Heat pump vs boiler: which heats a house better?",
        "Should I take a heat pump or a gas boiler?",
    ],
)
def test_a_section_of_a_comparison_speaks_of_both_sides(question: str) -> None:
    asked = ["How does a heat pump work in a house?"]
    alone, both = (
        written([COMPARED], asked, title="Heat pumps", question=one, words=50)
        for one in (asked[0], question)
    )
    assert "Boilers that burn gas" not in alone
    assert "Boilers that burn gas" in both
