"""What the scores of a step are worth: sure, in doubt, and who may say contradicted."""

import pytest

from citations.bands import UNMEASURED, WORDS, Band, Scores, accept, decide
from citations.checked_sentence import is_undecided
from citations.evidence_span import SourcePassages
from citations.verdict import judge_claim
from schema.documents import Passage

BAND = Band(supported=0.7, unsupported=0.2, contradicted=0.9, source="this test")


@pytest.mark.parametrize(
    ("scores", "kind", "sure"),
    [
        (Scores(0.7), "supported", True),
        (Scores(0.69), "supported", False),
        (Scores(0.49), "absent", False),
        (Scores(0.2), "absent", False),
        (Scores(0.19), "absent", True),
        (Scores(0.05, 0.9), "contradicted", True),
        (Scores(0.05, 0.89), "absent", True),
    ],
)
def test_outside_its_band_a_step_is_sure(scores: Scores, kind: str, sure: bool) -> None:
    found = decide(BAND, scores)
    assert (found.kind, found.is_sure) == (kind, sure)


def test_under_a_band_of_high_scores_a_likely_support_is_none() -> None:
    high = Band(supported=0.95, unsupported=0.8, contradicted=2, source="this test")
    assert decide(high, Scores(0.79)).kind == "absent"
    assert decide(high, Scores(0.8)).kind == "supported"


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_a_model_that_was_not_measured_is_never_sure(score: float) -> None:
    assert not decide(UNMEASURED, Scores(score)).is_sure
    assert not accept(UNMEASURED, "supported", score)[1].is_sure
    assert decide(UNMEASURED, Scores(0.0, 1.0)).kind == "absent"
    assert accept(UNMEASURED, "contradicted", 1.0)[1].kind == "absent"


def test_a_verdict_in_words_stands_but_for_a_contradiction_under_the_bar() -> None:
    assert accept(BAND, "partial", 0.8)[1].kind == "partial"
    assert accept(BAND, "contradicted", 0.9)[1].kind == "contradicted"
    scores, found = accept(BAND, "contradicted", 0.8)
    assert (found.kind, scores) == ("absent", Scores(pytest.approx(0.1), 0.8))


def test_words_leave_open_what_they_do_not_clearly_support() -> None:
    text = "The barn owl hears a mouse below the snow. It weighs 350 grams."
    source = SourcePassages([Passage(chunk=1, document=1, start=0, end=len(text), text=text)], "en")
    clear = judge_claim("The barn owl hears a mouse below the snow.", source)
    near = judge_claim("The owl hears a vole below the deep snow.", source)
    assert clear.support >= WORDS.supported > near.support
    assert not is_undecided(clear)
    assert is_undecided(near)
    assert is_undecided(judge_claim("Herons stand in shallow water.", source))
