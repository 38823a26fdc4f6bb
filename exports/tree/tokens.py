"""Tokens that tie a place in a section's Markdown to its citations until the tree is made.

A citation belongs to a sentence, and sentences are known by their position in the source text,
which a tree has not. So a token follows each marker and tells which one of the report it is, and
tokens stand around each doubtful sentence. `⟦` and `⟧` are punctuation as brackets are, so that
nothing around them is parsed differently.
"""

import re
from typing import Literal
from urllib.parse import quote

PLACEHOLDER = "\ue000"
"""A character for private use. No text that is shown holds it: it is dropped from what is given."""

Doubt = Literal["contradicted", "absent"]

DOUBT = re.compile(rf"⟦{PLACEHOLDER}(contradicted|absent|end)⟧")
"""The start of a doubtful sentence, with its doubt, or the end of one."""

_POSITION = re.compile(rf"⟦{PLACEHOLDER}(\d+)⟧")
_TOKEN = re.compile(rf"⟦{PLACEHOLDER}\w+⟧")
_ESCAPED_TOKEN = re.compile(rf"{quote('⟦' + PLACEHOLDER)}\w+{quote('⟧')}")  # in an address


def make_token(content: object) -> str:
    """The token of a marker's position, of a doubt, or of the "end" of a doubtful sentence."""
    return f"⟦{PLACEHOLDER}{content}⟧"


def match_position(text: str, at: int) -> tuple[str, int]:
    """The position that a token tells at a place of a text, or ""; and where the token ends."""
    found = _POSITION.match(text, at)
    return (found[1], found.end()) if found else ("", at)


def strip_tokens(text: str) -> str:
    """A text without tokens, as it is where they have no meaning: in code and in addresses."""
    return _ESCAPED_TOKEN.sub("", _TOKEN.sub("", text))
