"""A stand-in language model that has every step of a run do its work.

What it answers follows from the prompt alone, so a run can be repeated. It writes sentences of the
sources that it is shown and cites them by the prompt's numbers. Now and then, by a hash of what it
is asked, it errs in ways that the pipeline mends: a figure that no source has, a first answer that
hedges, a judgement against.
"""

import json
import re
from collections.abc import Callable, Mapping
from hashlib import blake2b

from fakes.openai_chat import ChatRequest
from fakes.writer import keep_outline, section_of, task_of

from benchmarks.reliability.world.pages import SUBJECTS, TOWNS, section, subjects_in, towns_in

_SOURCE = re.compile(r'<source n="(\d+)"[^>]*>(.*?)</source>', re.DOTALL)
_PASSAGE = re.compile(r"<passage[^>]*>\n(.*?)\n</passage>", re.DOTALL)
_FAILING = re.compile(r'<sentence n="(\d+)" reason="[^"]*">')
_SENTENCE = re.compile(r"[A-Z][^.!?#\n]{30,200}\.(?=\s|$)")
_CITED = re.compile(r"[A-Z][^.!?#\n]{30,200} \[\d+\]\.")
_SHOWN = re.compile(r'<section n="(\d+)"[^>]*>\n1: (.*)')

REFUSAL = "I'm sorry, but I can't help with that."

Answer = Callable[[ChatRequest], str]


class Mind:
    """Answers by task; `instead` replaces the answers of some tasks.

    `errs` has it write a figure that no source has into some sections, so that citations are
    judged and sentences repaired.
    """

    def __init__(self, instead: Mapping[str, Answer] | None = None, *, errs: bool = True) -> None:
        self._errs = errs
        self._by_task: dict[str, Answer] = {
            "reformulate": _reformulate,
            "outline": _outline,
            "revise_outline": keep_outline,
            "reply": lambda _: "Hello! Ask me something.",
            "write_section": self._write,
            "revise_text": self._write,
            "revise_report": _revise,
            "summarise": _summarise,
            "judge_citations": _judge_citations,
            "repair_sentences": _repair,
            "choose_criteria": _criteria,
            "choose_action": _choose,
            "write_queries": _queries,
            "answer_question": _answer,
            "judge_answer": _judge_answer,
            **(instead or {}),
        }

    def __call__(self, request: ChatRequest) -> str:
        """The answer to one request."""
        return self._by_task[task_of(request)](request)

    def _write(self, request: ChatRequest) -> str:
        title = section_of(request)
        told = facts(request, title)
        lines = [f"{said[:-1]} [{number}]." for number, said in told[:5]]
        if lines and self._errs:
            number, said = told[0]
            town, subject = towns_in(said)[0], subjects_in(said)[0]
            lines.append(f"On feast days the {subject} of {town} carry 777 lanterns [{number}].")
            lines.append(f"Everybody in {town} is proud of its {subject} to this day [{number}].")
        return " ".join(lines) or f"No source speaks of “{title}”."


def facts(request: ChatRequest, about: str) -> list[tuple[int, str]]:
    """Sentences of the sources in a prompt with their numbers, those on the same part alone."""
    subjects = set(subjects_in(about)) or set(SUBJECTS)
    found: dict[str, int] = {}
    for number, body in _SOURCE.findall(request.text):
        for passage in _PASSAGE.findall(body):
            for said in _SENTENCE.findall(passage):
                named = set(subjects_in(said))
                if named and named <= subjects:
                    found.setdefault(said, int(number))
    return [(number, said) for said, number in found.items()]


def part(request: ChatRequest, tag: str) -> str:
    """What stands in a tag of the prompt, the last one of that name; the rules name tags, too."""
    found = re.findall(rf"<{tag}>((?:(?!<{tag}>).)*?)</{tag}>", request.text, re.DOTALL)
    return found[-1].strip() if found else ""


def chance(text: str, of: int) -> int:
    """A number below `of` that follows from a text."""
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest()) % of


def plan(town: str, sections: int) -> str:
    """An outline of so many sections, each on two parts of the town's harbour."""
    planned = [section(town, number) for number in range(sections)]
    made = [{"title": title, "questions": questions} for title, questions in planned]
    further = [
        f"What do the {one} of {town} cost?" for one in ("bridges", "lighthouses", "markets")
    ]
    return json.dumps({"title": f"The harbour of {town}", "sections": made, "further": further})


def _of(text: str) -> tuple[str, str]:
    """The part of the harbour and the town that a text speaks of first."""
    return (subjects_in(text) or [SUBJECTS[0]])[0], (towns_in(text) or [TOWNS[0]])[0]


def _reformulate(request: ChatRequest) -> str:
    asked = part(request, "question")
    _, town = _of(asked)
    queries = [
        {"query": f"harbour of {town}, part by part", "type": "resource", "priority": 1},
        {"query": f"what was said of {town} before", "type": "memory", "priority": 3},
    ]
    return json.dumps({"question": asked, "language": "en", "queries": queries})


def _outline(request: ChatRequest) -> str:
    sections = re.findall(r"<sections>.*?, usually (\d+)</sections>", request.text)[-1]
    return plan(_of(part(request, "question"))[1], int(sections))


def _revise(request: ChatRequest) -> str:
    """A transition before the first sentence of each section but the first."""
    edits = [
        {"section": int(number), "sentence": 1, "text": f"Besides, {said[0].lower()}{said[1:]}"}
        for number, said in _SHOWN.findall(request.text)
        if number != "1"
    ]
    return json.dumps({"edits": edits})


def _summarise(request: ChatRequest) -> str:
    """The first cited sentence of each section, the very first as the answer."""
    held = re.findall(r"<section title=[^>]*>\n(.*?)\n</section>", request.text, re.DOTALL)
    cited = [found[0] for text in held if (found := _CITED.findall(text))]
    return json.dumps({"position": (cited or [""])[0], "findings": cited[1:]})


def _judge_citations(request: ChatRequest) -> str:
    """What everybody is proud of stands in no source."""
    verdicts = [
        {
            "item": int(number),
            "verdict": "absent" if "proud" in said or "lanterns" in said else "supported",
            "confidence": 0.9,
        }
        for number, said, _ in re.findall(
            r'<item n="(\d+)">\n<sentence>(.*?)</sentence>\n<passage>(.*?)</passage>',
            request.text,
            re.DOTALL,
        )
    ]
    return json.dumps({"citations": verdicts})


def _repair(request: ChatRequest) -> str:
    """One sentence in the words of a source; all others are taken out."""
    told = facts(request, section_of(request))
    mended = [
        {"sentence": int(number), "text": f"{told[-1][1][:-1]} [{told[-1][0]}]." if told else ""}
        for number in _FAILING.findall(request.messages[1]["content"])[:1]
    ]
    rest = [
        {"sentence": int(number), "text": ""}
        for number in _FAILING.findall(request.messages[1]["content"])[1:]
    ]
    return json.dumps({"sentences": [*mended, *rest]})


def _criteria(request: ChatRequest) -> str:
    asked = part(request, "question")
    several = chance(asked, 2) == 0
    return json.dumps({"definitive": True, "aspects": subjects_in(asked) if several else []})


def _choose(request: ChatRequest) -> str:
    """Search, then perhaps think, then read, then answer; whatever of it is offered."""
    offered = re.findall(r"<item>(\w+)</item>", part(request, "actions"))
    asked, goal = part(request, "question"), part(request, "goal")
    thoughtful = asked == goal and chance(goal, 3) == 0 and "I need to know" not in request.text
    wishes = ["reflect"] if thoughtful else []
    wishes += ["visit", "answer", "search", "reflect"]
    if not part(request, "tried"):
        wishes.insert(0, "search")
    action = next(wish for wish in wishes if wish in offered)
    subject, town = _of(goal)
    made: dict[str, object] = {"action": action, "why": f"To learn more of the {subject}."}
    if action == "search":
        made["needs"] = [f"{subject} of {town}"]
    if action == "visit":
        made["pages"] = [1, 2]
    if action == "reflect":
        made["questions"] = [f"Which quarries and dues belong to the {subject} of {town}?"]
    return json.dumps(made)


def _queries(request: ChatRequest) -> str:
    subject, town = _of(part(request, "goal"))
    words = [f"{town} {subject} register of dues", f"{subject} {town} chronicle, masons and stone"]
    return json.dumps({"queries": [{"query": one, "kind": "document"} for one in words]})


def _answer(request: ChatRequest) -> str:
    """What the sources say; the first time it hedges, where the hash of the question wills it."""
    asked = part(request, "question")
    told = facts(request, asked)
    if not told:
        return "NOT FOUND\nThe sources do not speak of it."
    text = " ".join(f"{said[:-1]} [{number}]." for number, said in told[:3])
    hedging = chance(asked, 3) == 1 and not part(request, "requirements")
    return f"{text} Perhaps it is otherwise [{told[0][0]}]." if hedging else text


def _judge_answer(request: ChatRequest) -> str:
    passed = "Perhaps" not in part(request, "answer")
    return json.dumps(
        {"passed": passed, "reason": "It says so.", "improve": "" if passed else "Do not hedge."}
    )
