"""Who is asked about a citation: words, then a checker, then a language model."""

import json
import re
from pathlib import Path

import pytest
from fakes.openai_chat import ChatRequest
from fakes.tiny_models import head_graph, lay_out
from fakes.writer import Writer
from graph_runs import speaking

from citations import bands
from citations.bands import Band
from citations.check import check_sentences
from citations.checked_sentence import CheckedSentence
from citations.evidence_span import SourcePassages
from models.calls import Role
from nodes.common.citation_steps import judge_in_steps
from nodes.common.citations import apply_judgements
from schema.documents import Passage
from schema.editing import CitationJudgement

PAGE = "The mill grinds grain at dawn. It has four sails."
SAID = {
    "wind": "The wind pushes marmalade [1].",
    "bread": "The bread ferments umbrellas [1].",
    "query": "A query annoys the herons [1].",
    "clear": "The mill grinds grain at dawn [1].",
}
"""What a checker takes for supported, for not, what leaves it in doubt; and what words tell."""

ROW = Band(supported=0.9, unsupported=0.1, contradicted=2, source="this test")
JUDGE = Role("judge", "openai:judge")


@pytest.fixture
def checker(tmp_path: Path) -> Role:
    """Takes the word `wind` for support, `bread` for none, and leaves `query` open."""
    worth = {"wind": [0.0, 5.0], "bread": [5.0, 0.0], "query": [0.0, 0.5]}
    return Role("checker", f"onnx:{lay_out(tmp_path / 'a', head_graph(worth))}")


def check(*names: str) -> list[CheckedSentence]:
    text = " ".join(SAID[name] for name in names)
    page = Passage(chunk=1, document=1, start=0, end=len(PAGE), text=PAGE)
    return check_sentences(text, {1: SourcePassages([page], "en")}, "en")


class Judging:
    """A language model that supports all it is asked about, and notes it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, request: ChatRequest) -> str:
        said = re.findall(r"<sentence>(.*?)</sentence>", request.messages[1]["content"])
        self.asked += said
        return json.dumps(
            {
                "citations": [
                    {"item": n, "verdict": "supported", "confidence": 0.9}
                    for n in range(1, len(said) + 1)
                ]
            }
        )


def told(
    found: list[CheckedSentence], judgements: list[CitationJudgement]
) -> list[tuple[str, str, str]]:
    """The second word, the verdict and who gave it, by sentence."""
    return [
        (one.claim.split()[1], verdict.kind, verdict.step)
        for one in apply_judgements(found, judgements)
        for verdict in one.verdicts.values()
    ]


async def test_a_checker_is_asked_about_what_words_leave_open(checker: Role) -> None:
    found = check("wind", "bread", "clear")
    judgements, calls, failures = await judge_in_steps([found], [], [checker])
    assert told(found, judgements) == [
        ("wind", "supported", "checker"),
        ("bread", "absent", "checker"),
        ("mill", "supported", "words"),
    ]
    assert ([call["role"] for call in calls], failures) == (["checker"], [])


async def test_a_language_model_is_asked_about_what_a_measured_checker_leaves_open(
    checker: Role, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bands, "MEASURED", {checker.model: ROW})
    found, judging = check("wind", "bread", "query", "clear"), Judging()
    with speaking(Writer({"judge_citations": judging})):
        judgements, _, _ = await judge_in_steps([found], [], [checker, JUDGE])
    assert judging.asked == ["A query annoys the herons."]
    assert told(found, judgements) == [
        ("wind", "supported", "checker"),
        ("bread", "absent", "checker"),
        ("query", "supported", "model"),
        ("mill", "supported", "words"),
    ]


async def test_a_language_model_is_asked_about_all_that_an_unmeasured_checker_says(
    checker: Role,
) -> None:
    judging = Judging()
    with speaking(Writer({"judge_citations": judging})):
        await judge_in_steps([check("wind", "bread", "clear")], [], [checker, JUDGE])
    assert judging.asked == ["The wind pushes marmalade.", "The bread ferments umbrellas."]


async def test_where_the_language_model_fails_the_checker_stands_until_it_is_asked_again(
    checker: Role,
) -> None:
    found, judging = check("wind"), Judging()
    with speaking(Writer({"judge_citations": lambda _: "I will not."})):
        first, _, failures = await judge_in_steps([found], [], [checker, JUDGE])
    assert [one["code"] for one in failures] == ["citations_not_judged"]
    assert told(found, first) == [("wind", "supported", "checker")]
    with speaking(Writer({"judge_citations": judging})):
        again, _, _ = await judge_in_steps([found], first, [checker, JUDGE])
    assert told(found, again) == [("wind", "supported", "model")]
    with speaking(Writer({"judge_citations": judging})):
        _, calls, _ = await judge_in_steps([found], again, [checker, JUDGE])
    assert (len(judging.asked), calls) == (1, [])


async def test_no_model_makes_a_sentence_supported_whose_number_its_source_lacks(
    checker: Role,
) -> None:
    page = Passage(chunk=1, document=1, start=0, end=len(PAGE), text=PAGE)
    source = SourcePassages([page], "en")
    found = check_sentences("The wind turns 17 blades [1].", {1: source}, "en")
    judgements, _, _ = await judge_in_steps([found], [], [checker])
    assert judgements[0]["verdict"] == "supported"
    assert told(found, judgements) == [("wind", "partial", "checker")]
