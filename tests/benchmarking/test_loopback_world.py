"""The loopback world of the reliability benchmarks: what it answers, what it remembers."""

from typing import Any

import httpx
import pytest

from benchmarks.reliability.matrix.rules import down_from, on
from benchmarks.reliability.world.chat_model import plan
from benchmarks.reliability.world.pages import (
    SUBJECTS,
    TOWNS,
    on_subject,
    page_at,
    pages,
    question,
    searched,
    section,
    towns_in,
)
from benchmarks.reliability.world.requests import Call, Delays, Fault, Rule
from benchmarks.reliability.world.server import World

QUICK = Delays(0.0, 0.0, 0.0)
PIERS = f"piers of {TOWNS[0]}"


def told(task: str, text: str) -> dict[str, Any]:
    content = f"<task>{task}</task>\n{text}"
    return {"model": "m", "messages": [{"role": "user", "content": content}]}


def asked(world: World, task: str, text: str, *, stream: bool = False) -> httpx.Response:
    body = {**told(task, text), "stream": stream}
    return httpx.post(f"{world.url}/v1/chat/completions", json=body, timeout=5)


def call(name: str, about: str = "", **given: Any) -> Call:
    usual: dict[str, Any] = {"kind": "model", "chain": "", "key": "k", "number": 0, "again": 0}
    return Call(**{**usual, "attempt": 0, "came": 0.0, "name": name, "about": about, **given})


def test_every_sentence_names_its_town_and_every_page_is_found() -> None:
    assert len(TOWNS) == len(set(TOWNS)) == 50
    for page in pages(TOWNS[3]):
        assert all(TOWNS[3] in sentence for sentence in page.sentences)
        assert page_at(page.path) == page
    for subject in SUBJECTS:
        assert searched(f"the {subject} of {TOWNS[3]}") == on_subject(TOWNS[3], subject)
    assert [page.path for page in searched(question(TOWNS[3]))] == [f"/pages/{TOWNS[3]}"]
    assert searched("otters") == []
    assert towns_in(f"{TOWNS[1]} and Stockholm and {TOWNS[2]}") == [TOWNS[1], TOWNS[2]]


def test_no_two_questions_of_a_report_are_on_the_same_part() -> None:
    asked_for = [asked for number in range(6) for asked in section(TOWNS[0], number)[1]]
    assert len({next(s for s in SUBJECTS if s in one) for one in asked_for}) == 12


def test_the_world_answers_as_a_model_an_engine_and_a_page() -> None:
    with World(delays=QUICK) as world:
        answer = asked(
            world, "outline", f"<question>{PIERS}</question><sections>2 to 5, usually 2</sections>"
        )
        assert answer.json()["choices"][0]["message"]["content"] == plan(TOWNS[0], 2)
        found = httpx.post(f"{world.url}/tavily/search", json={"query": PIERS}).json()
        read = httpx.get(found["results"][0]["url"])
        assert PIERS in read.text
        kinds = [(one.kind, one.name, one.finished) for one in world.calls]
    assert kinds == [("model", "outline", True), ("search", "tavily", True), ("page", "read", True)]


def test_excerpts_have_no_text_of_their_page() -> None:
    with World(delays=QUICK, excerpts=lambda page: "built" in page.path) as world:
        found = httpx.post(f"{world.url}/tavily/search", json={"query": PIERS}).json()
    assert sorted(bool(one["raw_content"]) for one in found["results"]) == [False, True]


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_is_cut_off_and_does_not_count_as_finished(stream: bool) -> None:
    with World(delays=QUICK, rules=[on(Fault(cut=True), attempts=1)]) as world:
        with pytest.raises(httpx.RemoteProtocolError):
            asked(world, "reply", "Hello", stream=stream)
        assert asked(world, "reply", "Hello", stream=stream).status_code == 200
        assert [one.finished for one in world.calls] == [False, True]
        assert [one.again for one in world.calls] == [0, 1]


def test_a_client_that_leaves_was_not_answered() -> None:
    with World(delays=QUICK, rules=[on(Fault(wait=30.0))]) as world:
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{world.url}/v1/chat/completions", json=told("reply", "Hi"), timeout=0.2)
        assert world.calls[0].sent is None


def test_faults_have_a_status_a_body_and_headers() -> None:
    html = Fault(body=(b"<html>", "text/html"))
    limited = Fault(429, headers={"retry-after": "3"})
    rules = [on(html, kind="search"), on(limited, "reply")]
    with World(delays=QUICK, rules=rules) as world:
        found = httpx.post(f"{world.url}/tavily/search", json={"query": PIERS})
        refused = asked(world, "reply", "Hello")
    assert (found.text, found.headers["content-type"]) == ("<html>", "text/html")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "3")
    assert not any(one.finished for one in world.calls)


def test_what_the_stand_in_fails_with_is_remembered() -> None:
    with World(delays=QUICK) as world:
        assert asked(world, "no_such_task", "Hello").status_code == 500
    assert "no_such_task" in world.failures[0]


@pytest.mark.parametrize(
    ("rule", "given", "meant"),
    [
        (on(Fault(500), "outline"), call("outline"), True),
        (on(Fault(500), "outline"), call("reply"), False),
        (on(Fault(500), kind="search"), call("outline"), False),
        (on(Fault(500), about="piers"), call("write_section", "The piers"), True),
        (on(Fault(500), about="piers"), call("write_section", "The cranes"), False),
        (on(Fault(500), attempts=1), call("outline", attempt=1), False),
        (on(Fault(500), every=5), call("outline", number=4), True),
        (on(Fault(500), every=5), call("outline", number=5), False),
    ],
)
def test_a_rule_means_some_requests(rule: Rule, given: Call, meant: bool) -> None:
    assert (rule(given) is not None) == meant


def test_an_outage_begins_with_a_task_and_does_not_end() -> None:
    rule = down_from(Fault(500), "outline")
    came = [rule(call(task)) is not None for task in ("reformulate", "outline", "reformulate")]
    assert came == [False, True, True]
    assert rule(call("tavily", kind="search")) is None


def test_a_share_of_the_things_is_chosen_by_what_they_are() -> None:
    rule = on(Fault(429), kind="search", share=0.3)
    hit = [bool(rule(call("tavily", f"query {n}", kind="search"))) for n in range(200)]
    assert 40 <= sum(hit) <= 80
    assert hit == [bool(rule(call("tavily", f"query {n}", kind="search"))) for n in range(200)]
