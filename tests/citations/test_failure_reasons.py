"""A writer is told in plain words why a sentence does not stand."""

from dataclasses import replace

import pytest

from citations.check import check_sentences
from citations.checked_sentence import CheckedSentence
from citations.evidence_span import SourcePassages
from citations.failure_reasons import UNCITED, explain_failure
from schema.documents import Passage

TOLD = {
    1: "The filter lasts 1,500 hours in dust. The filter was tested in 1998 by two workshops.",
    2: "The pump does not need oil between two services. Its casing is made of bronze.",
}


def check(text: str) -> CheckedSentence:
    sources = {
        number: SourcePassages(
            [Passage(chunk=number, document=number, start=0, end=len(told), text=told)], "en"
        )
        for number, told in TOLD.items()
    }
    [one] = check_sentences(text, sources, "en")
    return one


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Eels breed here.", UNCITED),
        (
            "The filter lasts 2,000 hours in dust [1].",
            "source 1 gives 1,500 hours, not 2,000 hours",
        ),
        ("The filter was tested in 2004 by two workshops [1].", "source 1 gives 1998, not 2004"),
        ("The filter has 40 folds [1].", "no shown passage of source 1 gives 40"),
        (
            "The filter has 40 folds and the casing of the pump is bronze [1][2].",
            "no shown passage of sources 1 and 2 gives 40",
        ),
        (
            "Marmalade ferments under umbrellas [2].",
            "no shown passage of source 2 says this; "
            "the nearest lacks: marmalade, ferments, umbrellas",
        ),
        (
            "Barges from Rotterdam carry marmalade upstream each winter [2].",
            "it names “Rotterdam”, which no shown passage of source 2 does",
        ),
        (
            "The pump needs oil between two services [2].",
            "no shown passage of source 2 says this as it stands: the nearest has “not”",
        ),
        (
            "The filter was not tested in 1998 by two workshops [1].",
            "no shown passage of source 1 says this as it stands: look at “not”",
        ),
        (
            "The filter lasts 1,500 days in dust [1].",
            "source 1 gives the figure of “1,500 days” in another unit",
        ),
    ],
)
def test_a_reason_says_what_the_passages_lack(text: str, reason: str) -> None:
    one = check(text)
    assert one.fails
    assert explain_failure(one, "en") == reason


def test_a_judge_that_finds_the_opposite_is_told_first() -> None:
    one = check("The pump needs oil between two services [2].")
    judged = replace(one, verdicts={2: replace(one.verdicts[2], kind="contradicted")})
    assert explain_failure(judged, "en") == "source 2 says otherwise"


def test_a_negation_that_the_source_has_as_well_is_no_reason() -> None:
    told = (
        "Note the two kinds of limit for the disk. The first is yours, `max_bytes`, and it makes "
        "the server delete.\nThe second is the server's own and cannot be set: at 92 per cent of "
        "the volume it stops taking jobs."
    )
    passage = Passage(chunk=1, document=1, start=0, end=len(told), text=told)
    claim = (
        "The disk limit of 92 per cent of the volume cannot be set, unlike `max_bytes`, at which "
        "the server deletes [1]."
    )
    [one] = check_sentences(claim, {1: SourcePassages([passage], "en")}, "en")
    assert "cannot" not in explain_failure(one, "en")
