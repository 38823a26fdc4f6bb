"""A stand-in language model for FakeOpenAI: it answers Quire's prompts, and can be told to err.

It writes facts that stand in the prompt and cites them by the prompt's own numbers, so a wrong or
missing citation in a report is the pipeline's doing.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from fakes.openai_chat import ChatRequest

_SOURCE = re.compile(r'<source n="(\d+)".*?<passage[^>]*>\n(.*?)\n</passage>', re.DOTALL)


def task_of(request: ChatRequest) -> str:
    """Which of Quire's prompts this is, also in its repair round."""
    match = re.search(r"<task>(\w+)</task>", request.text)
    return match[1] if match else ""


def section_of(request: ChatRequest) -> str:
    """The title of the section that is to be written."""
    match = re.search(r"<section>(.*?)</section>", request.text)
    return match[1] if match else ""


class Writer:
    """Answers by task; `instead` replaces the answers of some tasks."""

    def __init__(self, instead: Mapping[str, Callable[[ChatRequest], str]] | None = None) -> None:
        self._instead = instead or {}

    def __call__(self, request: ChatRequest) -> str:
        """The answer to one request."""
        task = task_of(request)
        if task in self._instead:
            return self._instead[task](request)
        answers: dict[str, Callable[[ChatRequest], str]] = {
            "reformulate": self._reformulate,
            "outline": self._outline,
            "revise_outline": keep_outline,
            "write_section": self._write,
            "revise_text": self._write,
            "summarise": self._summarise,
            "revise_report": lambda _: json.dumps({"edits": []}),
            "repair_sentences": lambda _: json.dumps({"sentences": []}),
            "reply": self._reply,
            "choose_criteria": lambda _: json.dumps({"definitive": True}),
            "answer_question": self._write,
            "judge_answer": lambda _: json.dumps({"passed": True, "reason": "It holds."}),
        }
        return answers[task](request)

    def _reformulate(self, request: ChatRequest) -> str:
        question = re.findall(r"<question>(.*?)</question>", request.text, re.DOTALL)[-1]
        query = {"query": question, "type": "resource", "intent": "answer", "priority": 1}
        return json.dumps({"question": question, "language": "en", "queries": [query]})

    def _outline(self, request: ChatRequest) -> str:
        return outline_of(
            int(re.findall(r"<sections>.*?, usually (\d+)</sections>", request.text)[-1])
        )

    def _write(self, request: ChatRequest) -> str:
        found = _SOURCE.findall(request.text)
        lines = [line for number, passage in found for line in _facts(number, passage)]
        return " ".join(lines[:4])

    def _summarise(self, request: ChatRequest) -> str:
        """The first sentence as the answer, the second of each section as findings."""
        held = re.findall(r"<section title=[^>]*>\n(.*?)\n</section>", request.text, re.DOTALL)
        cited = [re.findall(r"[A-Z][^.!?#\n]+\[\d+\]\.", text) for text in held]
        return json.dumps(
            {
                "position": next((found[0] for found in cited if found), ""),
                "findings": [found[1] for found in cited if found[1:]],
            }
        )

    def _reply(self, request: ChatRequest) -> str:
        return "Hello! Ask me something."


def outline_of(sections: int) -> str:
    """An outline with so many sections, on what the sample pages speak of."""
    subjects = [
        "BM25", "dense vectors", "reranking", "rank fusion", "chunking", "HNSW", "spans", "recall",
        "embeddings", "stop words", "snippets", "links",
    ]  # fmt: skip
    return json.dumps(
        {
            "title": "How search works",
            "sections": [
                {
                    "title": f"About {subjects[i]}",
                    "questions": [f"What is {subjects[i]}?", f"Where does {subjects[i]} fail?"],
                }
                for i in range(sections)
            ],
            "further": ["What next?", "What else?", "Why so?"],
        }
    )


def shown_sections(request: ChatRequest) -> list[dict[str, Any]]:
    """The sections of a plan as a planner is shown them, with the sources found for each."""
    found = re.findall(
        r'<section n="\d+" title="(.*?)" form="(\w+)" words="(\d+)" found="(.*?)">(.*?)</section>',
        request.text,
        re.DOTALL,
    )
    return [
        {
            "title": title,
            "questions": re.findall("<item>(.*?)</item>", items, re.DOTALL),
            "sources": [int(number) for number in numbers.split()],
            "form": form,
            "words": int(words),
        }
        for title, form, words, numbers, items in found
    ]


def keep_outline(request: ChatRequest) -> str:
    """The plan as it was, nothing missing."""
    return json.dumps({"sections": shown_sections(request)})


def _facts(number: str, passage: str) -> list[str]:
    sentences = re.findall(r"[A-Z][^.!?#\n]{30,200}\.(?=\s|$)", passage)
    return [f"{sentence[:-1]} [{number}]." for sentence in sentences[:2]]
