"""A stand-in language model that leads deep searches and judges, besides all that a Writer does."""

import json
import re
from collections.abc import Callable, Mapping

from fakes.openai_chat import ChatRequest
from fakes.writer import Writer

NOT_FOUND = "NOT FOUND\nNothing was found that speaks of it."


class Researcher(Writer):
    """Searches once, answers with what was found, and lets every answer and citation pass."""

    def __init__(self, instead: Mapping[str, Callable[[ChatRequest], str]] | None = None) -> None:
        """Args: instead: answers in place of these, by task."""
        super().__init__(
            {
                "choose_criteria": _criteria,
                "choose_action": _action,
                "write_queries": _queries,
                "answer_question": self._answer,
                "judge_answer": lambda _: json.dumps({"passed": True, "reason": "It says it."}),
                "judge_citations": _verdicts,
                **(instead or {}),
            }
        )

    def _answer(self, request: ChatRequest) -> str:
        return self._write(request) or NOT_FOUND


def _criteria(_: ChatRequest) -> str:
    return json.dumps({"definitive": True, "max_age_days": None, "count": None, "aspects": []})


def _action(request: ChatRequest) -> str:
    offered = re.findall(r"<item>(\w+)</item>", _part(request, "actions"))
    wanted = "answer" if "<source " in _part(request, "sources") else "search"
    action = wanted if wanted in offered else offered[0]
    question = _part(request, "question").strip()
    return json.dumps({"action": action, "why": "It is next.", "needs": [question[:200]]})


def _queries(request: ChatRequest) -> str:
    return json.dumps({"queries": [{"query": _part(request, "question").strip()[:300]}]})


def _verdicts(request: ChatRequest) -> str:
    items = re.findall(r'<item n="(\d+)">', request.text)
    verdicts = [{"item": int(n), "verdict": "supported", "confidence": 0.9} for n in items]
    return json.dumps({"citations": verdicts})


def _part(request: ChatRequest, tag: str) -> str:
    """What the last element of this name holds."""
    found = re.findall(rf"<{tag}>(.*?)</{tag}>", request.text, re.DOTALL)
    return found[-1] if found else ""
