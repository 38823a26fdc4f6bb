"""What reading a file gives."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self


class UnreadableError(Exception):
    """The file has no text that can be read; the message says why."""


@dataclass(frozen=True)
class FileText:
    """The text of a file, and what it says of itself."""

    text: str
    title: str = ""
    author: str = ""
    published: str = ""
    site: str = ""
    aliases: tuple[str, ...] = ()
    superseded: bool = False

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Self:
        """The same by its fields, as JSON holds them."""
        return cls(**{**fields, "aliases": tuple(fields["aliases"])})

    @property
    def has_words(self) -> bool:
        """Whether there is a letter or digit in the text."""
        return any(map(str.isalnum, self.text))
