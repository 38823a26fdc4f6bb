"""The question and the small talk around it."""

import json
import re
import unicodedata

from models.extractive.phrases import REPLY, SMALL_TALK, phrase
from models.extractive.reading import Asked
from models.extractive.sentences import content
from retrieval.language import detect_language

_FEW = 3  # a question with fewer words of its own leans on the one before


def reformulate(asked: Asked) -> str:
    """Put the question on its own feet, as JSON of `Reformulation`.

    A follow-up with hardly a word of its own ("and its limits?") is joined to the last question
    that had some: both are searched, nothing is invented.
    """
    question = " ".join(asked.one("question").split())
    if greeting := _small_talk(question):
        return _json({"question": question, "language": greeting, "queries": []})
    language = detect_language(question)
    earlier = [text for speaker, text in asked.turns if speaker == "user" and text.strip()]
    earlier = [text for text in reversed(earlier) if not _small_talk(text)]
    standing = question
    if earlier and _leans(question, language):
        before = next((text for text in earlier if not _leans(text, language)), earlier[0])
        standing = f"{question} ({' '.join(before.split())[:500]})"
    query = {"query": standing[:500], "type": "resource", "intent": "", "priority": 1}
    return _json({"question": standing[:2000], "language": language, "queries": [query]})


def reply(asked: Asked) -> str:
    """Answer small talk in its language."""
    question = asked.one("question")
    return phrase(REPLY, _small_talk(question) or detect_language(question))


def _small_talk(text: str) -> str:
    """The language of greetings and thanks; "" of a text that says anything else."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text).casefold())
    languages = [SMALL_TALK.get(word, "") for word in words] or ["en"]
    return languages[0] if all(languages) else ""


def _leans(question: str, language: str) -> bool:
    """Whether a question has too few words of its own to stand alone."""
    return len(set(content(question, language))) < _FEW


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
