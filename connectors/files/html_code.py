"""The characters of a web page's text, and blocks of code, which keep theirs."""

import re
from typing import Any

UNSEEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
"""What has no width: places to break words at, and marks of direction."""


def read_code(element: Any) -> str:
    """The text of a block of code as it stands; blocks inside stand on lines of their own."""
    for line in element.iter("br", "div", "li", "code"):
        before = line.getprevious()
        if line.tag == "br":
            line.tail = f"\n{line.tail or ''}"
        elif before is not None and before.tag == line.tag and _is_unbroken(before):
            line.text = f"\n{line.text or ''}"
    return UNSEEN.sub("", "".join(element.itertext())).replace("\r", "").strip("\n").rstrip()


def _is_unbroken(element: Any) -> bool:
    """Whether no line ends between an element and the next."""
    said = "".join(element.itertext())
    return not said.endswith("\n") and not (element.tail or "").strip(" ")
