"""JSON as small models write it: other quotes, none, too many commas, words around it, no end."""

import re
from typing import Any

_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_WORDS = {"true": True, "false": False, "null": None, "none": None}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\Z")
_DEEPEST = 30

_CUT: Any = object()
"""Stands for a value that the text's end cut."""


def read_loose_json(text: str) -> tuple[Any, bool] | None:
    """The first object or list of a text.

    Returns:
        (value, whether it is whole), or None where there is none. What the end of the text cut
        is left out: the value that it stands in, and in a list the object that has no end.
    """
    # a list only where it comes first: citation marks have brackets, too
    start = 0 if text.startswith("[") else text.find("{")
    if start < 0:
        return None
    reader = _Reader(text, start)
    try:
        value = reader.read_value(0)
    except _TooDeepError:
        return None
    return None if value is _CUT else (value, not reader.cut)


class _TooDeepError(Exception):
    """The text nests deeper than any schema of ours."""


class _Reader:
    """Reads values one after the other; `cut` tells that the text ended in the middle of one."""

    def __init__(self, text: str, place: int) -> None:
        self._text = text
        self._place = place
        self.cut = False

    def read_value(self, depth: int) -> Any:
        """The value that begins here."""
        if depth > _DEEPEST:
            raise _TooDeepError
        sign = self._peek()
        if sign == "{":
            return self._read_object(depth)
        if sign == "[":
            return self._read_list(depth)
        if sign in _QUOTES:
            return self._read_quoted(_QUOTES[sign])
        return self._read_bare()

    def _read_object(self, depth: int) -> Any:
        made: dict[str, Any] = {}
        self._place += 1
        while True:
            sign = self._peek(skipped=",;")
            if not sign:
                self.cut = True
                return made
            if sign in "}]":
                self._place += sign == "}"
                return made
            name = self._read_name()
            if self._peek() in (":", "="):
                self._place += 1
            if not self._peek():
                self.cut = True
                return made
            value = self.read_value(depth + 1)
            if value is not _CUT:
                made.setdefault(name, value)

    def _read_list(self, depth: int) -> Any:
        made: list[Any] = []
        self._place += 1
        while True:
            sign = self._peek(skipped=",;")
            if not sign:
                self.cut = True
                return made
            if sign in "]}":
                self._place += sign == "]"
                return made
            value = self.read_value(depth + 1)
            if value is not _CUT and not (self.cut and isinstance(value, dict)):
                made.append(value)

    def _read_name(self) -> str:
        sign = self._peek()
        if sign in _QUOTES:
            name = self._read_quoted(_QUOTES[sign], ends=":=")
            return "" if name is _CUT else str(name)
        start = self._place
        while self._place < len(self._text) and self._text[self._place] not in ":=,{}[]\n":
            self._place += 1
        if self._place == start:  # a sign that belongs to nothing
            self._place += 1
        return self._text[start : self._place].strip(" \t\"'“”")

    def _read_quoted(self, closing: str, ends: str = ",}]:") -> Any:
        """A text in quotes; a quote inside of it is one that no end of a value follows."""
        self._place += 1
        read: list[str] = []
        while self._place < len(self._text):
            sign = self._text[self._place]
            self._place += 1
            if sign == "\\" and self._place < len(self._text):
                read.append(self._read_escape())
            elif sign == closing and self._is_end(ends):
                return _join_halves("".join(read))
            else:
                read.append(sign)
        self.cut = True
        return _CUT

    def _read_escape(self) -> str:
        sign = self._text[self._place]
        self._place += 1
        if sign != "u":
            return _ESCAPES.get(sign, sign)
        code = self._text[self._place : self._place + 4]
        if not re.fullmatch("[0-9a-fA-F]{4}", code):
            return "u"
        self._place += 4
        return chr(int(code, 16))

    def _is_end(self, ends: str) -> bool:
        place = self._place
        while place < len(self._text) and self._text[place] in " \t\r\n":
            if self._text[place] == "\n":  # two lines without a comma between them
                return True
            place += 1
        return place >= len(self._text) or self._text[place] in ends

    def _read_bare(self) -> Any:
        """A number, a word of JSON's or Python's, or a text without quotes."""
        start = self._place
        while self._place < len(self._text) and self._text[self._place] not in ",}]\n":
            self._place += 1
        if self._place >= len(self._text):
            self.cut = True
            return _CUT
        word = self._text[start : self._place].strip().strip("\"'“”")
        if word.casefold() in _WORDS:
            return _WORDS[word.casefold()]
        if _NUMBER.match(word):
            return float(word) if set(word) & set(".eE") else int(word)
        return word

    def _peek(self, skipped: str = "") -> str:
        """The next sign that means something; "" at the end."""
        while self._place < len(self._text) and (
            self._text[self._place].isspace() or self._text[self._place] in skipped
        ):
            self._place += 1
        return self._text[self._place : self._place + 1]


def _join_halves(text: str) -> str:
    """The text with characters in place of the pairs of halves that JSON escapes them as."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
