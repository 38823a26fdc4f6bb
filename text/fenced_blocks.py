"""Fenced blocks with a name behind a text, in which its writer says what is no part of it."""

import re
from functools import cache

_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+")


def split_blocks(text: str, name: str) -> tuple[str, list[str]]:
    """A text without its fenced blocks of a name, and their lines without bullets, none empty.

    A block that was cut off ends with the text.
    """
    pattern = _compile(name)
    lines = [
        line
        for block in pattern.finditer(text)
        for line in (_BULLET.sub("", one).strip() for one in block["body"].splitlines())
        if line
    ]
    return pattern.sub("", text).strip(), lines


@cache
def _compile(name: str) -> re.Pattern[str]:
    return re.compile(
        rf"^[ \t]*(?P<fence>`{{3,}}|~{{3,}})[ \t]*{name}[ \t]*\n(?P<body>.*?)"
        r"(?:\n?^[ \t]*(?P=fence)[ \t]*$|\Z)",
        re.DOTALL | re.MULTILINE | re.IGNORECASE,
    )
