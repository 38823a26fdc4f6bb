"""The question and the small talk around it."""

import json

from models.extractive.phrases import REPLY, SMALL_TALK, phrase
from models.extractive.reading import Asked
from retrieval.analysis import content_weight, detect_language, terms

_FEW = 3  # a question with fewer words of its own leans on the one before


def reformulate(asked: Asked) -> str:
    """Put the question on its own feet, as JSON of `Reformulation`.

    A follow-up with hardly a word of its own ("and its limits?") is joined to the question
    before it: both are searched, nothing is invented.
    """
    question = " ".join(asked.one("question").split())
    language = detect_language(question)
    if _is_small_talk(question):
        return _json({"question": question, "language": language, "queries": []})
    earlier = [text for speaker, text in asked.turns if speaker == "user" and text.strip()]
    standing = question
    if earlier and len(_own_words(question, language)) < _FEW:
        standing = f"{question} ({' '.join(earlier[-1].split())[:500]})"
    query = {"query": standing[:500], "type": "resource", "intent": "", "priority": 1}
    return _json({"question": standing[:2000], "language": language, "queries": [query]})


def reply(asked: Asked) -> str:
    """Answer small talk in its language."""
    return phrase(REPLY, detect_language(asked.one("question")))


def _is_small_talk(question: str) -> bool:
    words = question.casefold().translate({ord(mark): " " for mark in "!?.,;:！？。，、…~"}).split()
    return all(word in SMALL_TALK for word in words)


def _own_words(question: str, language: str) -> set[str]:
    return {term for term in terms(question, language) if content_weight(term, language) == 1}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
