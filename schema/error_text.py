"""Errors as text: several of them, or those of pydantic, in one sentence."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


_NO_TEXT = re.compile("[\0\ud800-\udfff]")

_SENTENCE_ENDS = (".", "!", "?", "。", "！", "？")

_PYDANTIC_DETAIL = re.compile(r",? (?:unable to|got a|after validation|or instance of).*")
"""What pydantic says beyond what is allowed."""


def is_text(given: str) -> bool:
    """Whether a string is text: neither NUL nor a half of a character, which no table takes."""
    return not _NO_TEXT.search(given)


def end_sentence(text: str) -> str:
    """The text with the full stop that a sentence ends with."""
    text = text.strip()
    return text if text.endswith(_SENTENCE_ENDS) else f"{text}."


def join_sentences(sentences: Iterable[str]) -> str:
    """Sentences as parts of one: each once, without their full stops, with semicolons between."""
    parts = (sentence.strip().rstrip(".。") for sentence in sentences)
    return "; ".join(dict.fromkeys(part for part in parts if part))


def describe_expected(fault: "ErrorDetails") -> str:
    """What a value must be, by an error of pydantic: "it must be ...", without a full stop."""
    _, should, expected = fault["msg"].partition(" should ")
    if not should:
        return fault["msg"]
    return f"it must {_PYDANTIC_DETAIL.sub('', expected)}"
