"""Faults in words: what several of them, or those of pydantic, read like in one sentence."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


_NO_TEXT = re.compile("[\0\ud800-\udfff]")

_ENDS = (".", "!", "?", "。", "！", "？")

_BESIDES = re.compile(r",? (?:unable to|got a|after validation|or instance of).*")
"""What pydantic says beyond what is allowed."""


def is_text(given: str) -> bool:
    """Whether a string is text: neither NUL nor a half of a character, which no table takes."""
    return not _NO_TEXT.search(given)


def sentence(text: str) -> str:
    """The text with the full stop that a sentence ends with."""
    text = text.strip()
    return text if text.endswith(_ENDS) else f"{text}."


def joined(sentences: Iterable[str]) -> str:
    """Sentences as parts of one: each once, without their full stops, with semicolons between."""
    parts = (sentence.strip().rstrip(".。") for sentence in sentences)
    return "; ".join(dict.fromkeys(part for part in parts if part))


def wanted(fault: "ErrorDetails") -> str:
    """What a value must be, by an error of pydantic: "it must be ...", without a full stop."""
    _, should, said = fault["msg"].partition(" should ")
    if not should:
        return fault["msg"]
    return f"it must {_BESIDES.sub('', said)}"
