"""The question and the small talk around it."""

import json
import re
import unicodedata

from models.extractive.candidates import find_content_terms
from models.extractive.phrases import REPLY, SMALL_TALK, format_phrase
from prompts.reformulate import ReformulatePrompt
from prompts.reply import ReplyPrompt
from text.language import detect_language

_MIN_WORDS = 3  # a question with fewer words of its own leans on the one before


def reformulate(asked: ReformulatePrompt) -> str:
    """Put the question on its own feet, as JSON of `Reformulation`.

    A follow-up with hardly a word of its own ("and its limits?") is joined to the last question
    that had some: both are searched, nothing is invented.
    """
    question = " ".join(asked.question.split())
    if greeting := _detect_small_talk(question):
        return _dump_json({"question": question, "language": greeting, "queries": []})
    language = detect_language(question)
    earlier = [
        turn.text for turn in asked.conversation if turn.speaker == "user" and turn.text.strip()
    ]
    earlier = [text for text in reversed(earlier) if not _detect_small_talk(text)]
    standing = question
    if earlier and _is_follow_up(question, language):
        before = next((text for text in earlier if not _is_follow_up(text, language)), earlier[0])
        standing = f"{question} ({' '.join(before.split())[:500]})"
    query = {"query": standing[:500], "type": "resource", "intent": "", "priority": 1}
    return _dump_json({"question": standing[:2000], "language": language, "queries": [query]})


def reply(asked: ReplyPrompt) -> str:
    """Answer small talk in its language."""
    language = _detect_small_talk(asked.question) or detect_language(asked.question)
    return format_phrase(REPLY, language)


def _detect_small_talk(text: str) -> str:
    """The language of greetings and thanks; "" of a text that says anything else."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text).casefold())
    languages = [SMALL_TALK.get(word, "") for word in words] or ["en"]
    return languages[0] if all(languages) else ""


def _is_follow_up(question: str, language: str) -> bool:
    """Whether a question has too few words of its own to stand alone."""
    return len(set(find_content_terms(question, language))) < _MIN_WORDS


def _dump_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
