"""Sources that may speak against a sentence."""

import pytest

from citations.check import check_sentences
from citations.evidence_span import SourcePassages
from citations.positions import find_positions
from schema.documents import Passage


def find(claim: str, other: str, language: str = "en") -> list[str]:
    """The kinds of what another source says against a claim that its own source says."""
    sources = {
        n: SourcePassages([Passage(chunk=n, document=n, start=0, end=len(t), text=t)], language)
        for n, t in ((1, claim), (2, other))
    }
    found = check_sentences(f"{claim[:-1]} [1].", sources, language)
    return [one.kind for one in find_positions(found, sources)]


@pytest.mark.parametrize(
    ("claim", "other", "kind"),
    [
        ("The plant in Corvale employs 410 people.",
         "Today the plant in Corvale, an old mill town, employs 560 people.", "number"),
        ("Das Werk in Jena beschäftigt 410 Menschen.",
         "In Jena beschäftigt das Werk 560 Menschen.", "number"),
        ("The school in Corvale opened on 3 May 2021.",
         "On 9 May 2021, the school in Corvale opened.", "date"),
        ("The school in Corvale opened in 1921.", "In 1924 the school in Corvale opened.", "date"),
        ("The council approved the bridge in Corvale.",
         "The council did not approve the bridge in Corvale.", "negation"),
    ],
)  # fmt: skip
def test_what_another_source_says_otherwise_is_listed(claim: str, other: str, kind: str) -> None:
    assert find(claim, other, "de" if "Das" in claim else "en") == [kind]


@pytest.mark.parametrize(
    ("claim", "other"),
    [
        ("The plant in Corvale employs 410 people.", "The plant in Dunmarch employs 560 people."),
        ("The plant in Corvale employs 412 people.",
         "The plant in Corvale employs about 400 people."),
        ("The plant in Corvale employs 412 people.",
         "The plant in Corvale employs over 400 people."),
        ("The plant in Corvale employed 410 people in 2021.",
         "The plant in Corvale employed 560 people in 2023."),
        ("The plant in Corvale made 1,234,567 bolts.",
         "The plant in Corvale made 1.2 million bolts."),
        ("**`BUSY`:** the job was not taken.",
         "`SLOW` says little. Jobs are still taken. `BUSY` says more."),
        ("The clinic in Corvale lacks 32 beds.", "At the Corvale clinic 32 beds are lacking."),
        ("The plant in Corvale employs 410 people.",
         "The plant in Corvale cost 560 million euros."),
        ("The pump in Corvale waits for 2 numbers of ticks.",
         "The pump in Corvale waits for numbers of ticks, such as 100 numbers of ticks."),
        ("Heated paving costs about 12 times as much as brine.",
         "The salt harms trees less, but it costs 11 times as much as brine."),
        ("Client libraries from 1.9 on wait by themselves after `SLOW`.",
         "Client libraries before 1.9 read `SLOW` as success and do not wait; with them it fills."),
        ("The `soft_depth` is 20,000.", "```yaml\nexpr: tarn_depth / tarn_soft_depth > 0.7\n```"),
    ],
)  # fmt: skip
def test_what_may_both_be_true_is_not_listed(claim: str, other: str) -> None:
    assert find(claim, other) == []


def test_rows_of_tables_are_not_compared_for_they_lack_the_heads_of_their_columns() -> None:
    prose = "The plant in Corvale employs 410 people."
    row = "| The plant in Corvale employs people | 410 |"
    other = "| The plant in Corvale employs people | 560 |"
    sources = {
        n: SourcePassages([Passage(chunk=n, document=n, start=0, end=len(t), text=t)], "en")
        for n, t in ((1, f"{prose}\n\n{row}"), (2, f"| Plant | Staff |\n| --- | --- |\n{other}"))
    }
    for text in (f"| Plant | Staff |\n| --- | --- |\n{row[:-1]}[1] |", f"{prose[:-1]} [1]."):
        assert find_positions(check_sentences(text, sources, "en"), sources) == []


def test_a_question_is_no_position() -> None:
    claim = "The plant in Corvale employs 410 people."
    assert find(claim, "Question 2: Does the plant in Corvale employ 560 people?") == []


def test_sentences_that_have_no_number_in_common_are_not_compared() -> None:
    claim = "The plant in Corvale employs 410 people and trains 30 people."
    assert find(claim, "The plant in Corvale employs 560 people and trains 70 people.") == []
    assert find(claim, "The plant in Corvale employs 560 people and trains 30 people.") == [
        "number"
    ]
