"""The benchmark of deep search: its small web, what it counts, what it fails on."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from programs import run_program

from benchmarks import deep_search
from benchmarks.deep_search import Outcome, _faults, _is_right, table
from benchmarks.deep_web.questions import GROUPS, Question, questions
from benchmarks.deep_web.web import FORBIDDEN, HOSTS, Reply, Web
from benchmarks.deep_web.world import World

COLUMNS = [
    "run", "group", "questions", "right", "wrong", "steps", "queries", "pages", "dead", "tokens",
    "seconds",
]  # fmt: skip
SITE = HOSTS["company"]


def outcome(group: str, *, right: bool, pages: int) -> Outcome:
    return Outcome(
        "deep search", group, "?", "", right, not right, 3, 1, pages, 0, 100, 0.5, [], []
    )


def served(*read: tuple[str, bool]) -> SimpleNamespace:
    """A web that was asked for paths, and whether a redirect had led to each."""
    web = SimpleNamespace(reply=lambda host, path: Reply())
    return SimpleNamespace(web=web, read=[(SITE, path, moved) for path, moved in read])


def faults(web: SimpleNamespace, text: str = "", pages: int = 1) -> list[str]:
    spent = {"tokens": 10, "seconds": 1.0, "searches": 1, "pages": pages}
    limits = SimpleNamespace(deep_tokens=100, deep_seconds=10, deep_searches=1, deep_pages=2)
    asked = Question("none", "Why?", None, (), None, "")
    return _faults({"spent": spent, "text": text}, limits, web, asked)  # type: ignore[arg-type]


def test_the_small_web_is_the_same_in_every_run() -> None:
    one, other = World(), World()
    asked = questions(one)
    assert [q.text for q in asked] == [q.text for q in questions(other)]
    webs = [Web(world, questions(world), 80) for world in (one, other)]
    assert webs[0].replies == webs[1].replies
    assert len(webs[0].replies) > 300


def test_every_answer_stands_on_its_page_and_nowhere_for_those_without() -> None:
    world = World()
    for asked in questions(world):
        if asked.page is None:
            assert asked.gold == ()
            continue
        text = " ".join(world.paragraphs(asked.page))
        assert any(gold in text for gold in asked.gold), asked.text


def test_some_answers_stand_only_where_links_lead() -> None:
    world = World()
    asked = questions(world)
    web = Web(world, asked, 80)
    known = {page.url for page in web.known}
    hidden = [q for q in asked if q.page and web.page_of(q.page) not in known]
    assert {q.group for q in hidden} == {"two hops", "three hops"}
    assert {q.group for q in asked} == set(GROUPS)


def test_an_answer_is_right_only_with_its_gold_text_and_its_page() -> None:
    world = World()
    asked = questions(world)[0]
    loopback = SimpleNamespace(web=Web(world, [], 80))
    assert asked.page is not None
    url = loopback.web.page_of(asked.page)

    def right(text: str, cited: str, answered: bool) -> bool:
        answer = {"answered": answered, "text": text, "references": [{"url": cited}]}
        return _is_right(answer, asked, loopback)  # type: ignore[arg-type]

    assert right(f"It was {asked.gold[0]} [1].", url, True)
    assert not right("It was somebody [1].", url, True)
    assert not right(f"It was {asked.gold[0]} [1].", "http://127.0.0.9/", True)
    assert not right(f"It was {asked.gold[0]} [1].", url, False)


def test_what_must_never_happen_is_named() -> None:
    assert faults(served(("/a", False), ("/b", False), ("/a", True))) == []
    assert "read again" in faults(served(("/a", True), ("/a", False)))[0]
    assert "robots.txt" in faults(served((f"{FORBIDDEN}1", False)))[0]
    assert "3 pages were spent, of 2" in faults(served(), pages=3)[0]
    assert "obeyed" in faults(served(), "The answer is 42 [1].")[0]
    assert faults(served(), "It weighs 142 grams [1].") == []


def test_the_table_counts_by_group_and_for_all() -> None:
    made = [
        outcome(group, right=group != "none", pages=4 if group == "none" else 2) for group in GROUPS
    ]
    rows = table(made)
    assert [list(row) for row in rows] == [COLUMNS] * 5
    assert rows[-1] | {"seconds": 0} == {
        "run": "deep search", "group": "all", "questions": 4, "right": 3, "wrong": 1, "steps": 3,
        "queries": 1, "pages": 2.5, "dead": 0, "tokens": 100, "seconds": 0,
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.allow_hosts(["127.0.0.0/8"])
def test_it_asks_prints_and_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    arguments = ["--questions", "1", "--floor", "0,1", "--json", str(out)]
    monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "")
    monkeypatch.setenv("QUIRE_SEARXNG_BASE_URL", "")
    code = run_program(deep_search.main, *arguments)
    head, *lines = capsys.readouterr().out.splitlines()
    assert code == 0, lines
    assert head.split() == COLUMNS
    assert not any(line.startswith("FAULT") for line in lines)
    told = json.loads(out.read_text())
    assert [row["questions"] for row in told["table"]] == [1, 1, 1, 1, 4] * 3
    reading = [one for one in told["outcomes"] if one["run"] == "one search, three pages"]
    assert len(reading) == 4
    assert any(one["pages"] > 0 for one in reading)
    assert all(one["queries"] >= 1 for one in told["outcomes"])
