"""Reading Quire's own prompts back into their parts."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage

from prompts.template import SourceText, unfence

_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_SOURCE = re.compile(r"<source\s([^>]*)>(.*?)</source>", re.DOTALL)
_PASSAGE = re.compile(r"<passage\b([^>]*)>\n?(.*?)\n?</passage>", re.DOTALL)
_SECTION = re.compile(r'<section\s((?:\w+="[^"]*"\s*)*)>(.*?)</section>', re.DOTALL)
_TASK = re.compile(r"<task>(\w+)</task>")
_LANGUAGE = re.compile(r'[Ww]rite in the language\s+"([a-z]{2,3})"')
_WORDS = re.compile(r"About (\d+) words")


@dataclass(frozen=True)
class Asked:
    """A prompt in parts: what it wants, and the material that it gives."""

    instructions: str
    text: str

    @property
    def task(self) -> str:
        """The name of the prompt, or ""."""
        match = _TASK.match(self.instructions)
        return match[1] if match else ""

    @property
    def language(self) -> str:
        """The language to write in, or ""."""
        match = _LANGUAGE.search(self.instructions)
        return match[1] if match else ""

    @property
    def words(self) -> int:
        """The length that was asked for."""
        match = _WORDS.search(self.instructions)
        return int(match[1]) if match else 300

    @property
    def plan(self) -> list[tuple[str, list[str]]]:
        """Title and questions of every section of the outline."""
        return [
            (_attributes(attributes).get("title", ""), _items(body))
            for attributes, body in _SECTION.findall(self.one("outline"))
        ]

    @property
    def sources(self) -> list[SourceText]:
        """The sources, in the order of the prompt."""
        return [_source(attributes, body) for attributes, body in _SOURCE.findall(self.text)]

    @property
    def turns(self) -> list[tuple[str, str]]:
        """The conversation as (speaker, text)."""
        found = re.findall(r"<turn([^>]*)>(.*?)</turn>", self.text, re.DOTALL)
        return [(_attributes(head).get("from", ""), unfence(body)) for head, body in found]

    def one(self, tag: str) -> str:
        """The content of the last plain <tag>, or ""."""
        found = re.findall(rf"<{tag}>\n?(.*?)\n?</{tag}>", self.text, re.DOTALL)
        return unfence(found[-1]) if found else ""

    def items(self, tag: str) -> list[str]:
        """The <item>s inside the last plain <tag>."""
        found = re.findall(rf"<{tag}>\n?(.*?)\n?</{tag}>", self.text, re.DOTALL)
        return _items(found[-1]) if found else []


def read(messages: Sequence[BaseMessage]) -> Asked:
    """Take a rendered prompt apart."""
    system = [str(message.text) for message in messages if message.type == "system"]
    given = [str(message.text) for message in messages if message.type != "system"]
    return Asked("\n".join(system), "\n".join(given))


def _items(text: str) -> list[str]:
    return [unfence(item) for item in re.findall(r"<item>(.*?)</item>", text, re.DOTALL)]


def _attributes(text: str) -> dict[str, str]:
    return {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(text)}


def _source(attributes: str, body: str) -> SourceText:
    told = _attributes(attributes)
    passages = _PASSAGE.findall(body)
    return SourceText(
        number=int(told.get("n", "0")),
        title=told.get("title", ""),
        passages=tuple(unfence(text) for _, text in passages),
        headings=tuple(_attributes(head).get("heading", "") for head, _ in passages),
    )
