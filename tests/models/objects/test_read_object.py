"""Objects read out of a model's words: in every state of disrepair, and never another object."""

import json
from typing import Any

import pytest
from fakes.small_errors import LINE_WAYS, WAYS, _as_lines
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from models.objects.lines import describe_lines
from models.objects.read import CUT, NO_FIELD, ReadObject, read_object
from models.objects.shape import get_shape
from schema.deep_search import Criteria, Decision, Judgement, WantedQueries
from schema.editing import ItemJudgements, Repairs, ReportEdits
from schema.plan import Outline, Reformulation

SAMPLES: list[tuple[type[BaseModel], dict[str, Any]]] = [
    (
        Outline,
        {
            "title": "How wind: power works",
            "sections": [
                {"title": "What it is", "questions": ["What turns?", "Since when: 1900 or later?"]},
                {"title": "What it's worth", "questions": ["What does it cost?", "Who pays?"]},
            ],
            "further": ["What next?", "Who else?", "Why so?"],
        },
    ),
    (
        Reformulation,
        {
            "question": 'What does "wind power" cost?',
            "language": "en",
            "queries": [
                {"query": "cost of turbines", "type": "resource", "intent": "", "priority": 1},
                {"query": "what I said of cost", "type": "memory", "intent": "b", "priority": 3},
            ],
        },
    ),
    (
        ReportEdits,
        {"edits": [{"section": 1, "sentence": 2, "text": "It's 5, or 6 [3]."},
                   {"section": 2, "sentence": 1, "text": ""}]},
    ),
    (Repairs, {"sentences": [{"sentence": 4, "text": "Blades turn [2][7]."}]}),
    (
        ItemJudgements,
        {"citations": [{"item": 1, "verdict": "supported", "confidence": 0.9},
                       {"item": 2, "verdict": "absent", "confidence": 0.5}]},
    ),
    (
        Decision,
        {"action": "visit", "why": "They say it.", "needs": [], "pages": [1, 3], "questions": []},
    ),
    (Criteria, {"definitive": False, "max_age_days": None, "count": 3, "aspects": ["a", "b c"]}),
    (Judgement, {"passed": False, "reason": "It hedges.", "improve": "Say it."}),
    (WantedQueries, {"queries": [{"query": "wind [3]", "kind": "direct", "since": "2024-05-01"}]}),
]  # fmt: skip
EACH = pytest.mark.parametrize(("schema", "made"), SAMPLES, ids=[s.__name__ for s, _ in SAMPLES])


def read(said: str, schema: type[BaseModel]) -> ReadObject[Any]:
    return read_object(said, schema, lambda _: None)


@EACH
@pytest.mark.parametrize("way", range(len(WAYS)))
def test_broken_json_is_read_as_it_was_meant_or_not_at_all(
    schema: type[BaseModel], made: dict[str, Any], way: int
) -> None:
    found = read(WAYS[way](json.dumps(made), made), schema)
    if found.wrong:
        assert way == 0  # it was cut off
        assert CUT in found.wrong
    else:
        assert found.value == schema.model_validate(made)


@EACH
@pytest.mark.parametrize("way", [None, *range(len(LINE_WAYS))])
def test_lines_are_read_as_they_were_meant(
    schema: type[BaseModel], made: dict[str, Any], way: int | None
) -> None:
    said = _as_lines(made)
    found = read(said if way is None else LINE_WAYS[way](said, made), schema)
    assert (found.value, found.wrong) == (schema.model_validate(made), "")


@EACH
@pytest.mark.parametrize(
    "said",
    [
        "I'm sorry, but I can't help with that request.",
        "Of course! The plan has three parts, which I will now describe.",
        "Wind turns the blades [3], and the council paid [12].",
        "Note: see {braces} there.",
        '{"colour": "blue", "size": "three"}',
    ],
)
def test_words_that_hold_no_object_are_read_as_none(
    schema: type[BaseModel], made: dict[str, Any], said: str
) -> None:
    assert read(said, schema).value is None


@EACH
def test_the_lines_that_a_model_is_shown_are_no_answer(
    schema: type[BaseModel], made: dict[str, Any]
) -> None:
    if schema not in (Criteria, Decision):  # of which an empty one is an answer
        assert read(describe_lines(get_shape(schema)), schema).value is None


@given(st.data())
def test_json_that_breaks_off_anywhere_gives_nothing_that_was_not_said(data: st.DataObject) -> None:
    schema, made = data.draw(st.sampled_from(SAMPLES))
    whole = json.dumps(made)
    found = read(whole[: data.draw(st.integers(0, len(whole) - 1))], schema)
    if found.value is None:
        return
    assert found.wrong
    for text in _texts(found.value.model_dump(exclude_unset=True)):
        assert text in whole.replace('\\"', '"')


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for one in value.values() for text in _texts(one)]
    if isinstance(value, list):
        return [text for one in value for text in _texts(one)]
    return [value] if isinstance(value, str) else []


@given(st.text())
def test_no_text_is_an_error(said: str) -> None:
    for schema, _ in SAMPLES:
        read(said, schema)
        read("{" + said, schema)
        read("title: " + said, schema)


@pytest.mark.parametrize(
    "said",
    [
        "# Title: How it works\n\n## Section 1: First\nQuestions:\n1. One?\n2. Two?\n\n"
        "## Section 2: Second\nQuestions:\n1. Three?\n2. Four?",
        "**Title:** How it works\n**Sections:**\n1. **Title:** First\n   **Questions:**\n"
        "   - One?\n   - Two?\n2. **Title:** Second\n   **Questions:**\n"
        "   - Three?\n   - Four?\n\nEnjoy!",
        "title = How it works\nsections:\ntitle: First\nquestion 1: One?\nquestion 2: Two?\n"
        "title: Second\nquestion 1: Three?\nquestion 2: Four?",
        '[{"title": "First", "questions": ["One?", "Two?"]}]',
    ],
)
def test_outlines_as_small_models_write_them(said: str) -> None:
    found = read(said, Outline).value
    if said.startswith("["):
        assert found is None  # it has no title
        return
    assert found is not None
    assert found.title == "How it works"
    assert [one.title for one in found.sections] == ["First", "Second"]
    questions = [asked for one in found.sections for asked in one.questions]
    assert questions == ["One?", "Two?", "Three?", "Four?"]


MEANT: list[tuple[str, type[BaseModel], dict[str, Any]]] = [
    ('["wind", "sun"]', WantedQueries, {"queries": [{"query": "wind"}, {"query": "sun"}]}),
    ('{"title": "T", "sections": [{"title": "A", "questions": ["B?"]}], "further": null}', Outline,
     {"title": "T", "sections": [{"title": "A", "questions": ["B?"]}]}),
    ('{"queries": ["wind", "sun"]}', WantedQueries,
     {"queries": [{"query": "wind"}, {"query": "sun"}]}),
    ('{"sentences": [{"number": 3, "text": "So [1]."}]}', Repairs,
     {"sentences": [{"sentence": 3, "text": "So [1]."}]}),
    ("Passed: No.\nReason: it hedges", Judgement, {"passed": False, "reason": "it hedges"}),
    ("action: SEARCH\nneeds: wind; sun", Decision, {"action": "search", "needs": ["wind", "sun"]}),
    ("action: visit\npages: 2, 5", Decision, {"action": "visit", "pages": [2, 5]}),
    ("edits: none", ReportEdits, {"edits": []}),
    ("item: 1\nverdict: supported\nconfidence: 90%", ItemJudgements,
     {"citations": [{"item": 1, "verdict": "supported", "confidence": 0.9}]}),
    ('{"passed": true, "reason": "Pi\\u00e8ce \\ud83d\\ude00",}', Judgement,
     {"passed": True, "reason": "Pièce 😀"}),
]  # fmt: skip


@pytest.mark.parametrize(("said", "schema", "wanted"), MEANT)
def test_what_is_meant_is_taken(said: str, schema: type[BaseModel], wanted: dict[str, Any]) -> None:
    assert read(said, schema).value == schema.model_validate(wanted)


def test_an_answer_without_a_field_is_told_so() -> None:
    assert read("I would rather not.", Outline).wrong == NO_FIELD
