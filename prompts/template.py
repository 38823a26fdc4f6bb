"""The form of a prompt, and the fence around everything that Quire did not write itself.

Sources, questions and conversation are data. They stand inside tags, and whatever looks like one
of our tags in them is defused, so that a page cannot close its fence and speak as the prompt.
"""

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

TAGS = (
    "task", "question", "conversation", "turn", "language", "outline", "section", "questions",
    "item", "sources", "source", "passage", "sections", "position", "title", "length", "date",
    "covered", "memory", "templates", "goal", "actions", "known", "diary", "tried", "needs",
    "requirements", "pages", "page", "criterion", "aspects", "count", "answer", "sentence",
    "sentences", "quote", "draft", "instruction",
)  # fmt: skip
# what a reader does not see: format and control characters, and others that Unicode says to ignore
_UNSEEN = (
    "\0-\x08\x0e-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160"
    "\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_WORD = "|".join(f"[{_UNSEEN}]*+".join(tag) for tag in TAGS)
_NAME = rf"[\s/{_UNSEEN}]*+(?i:{_WORD})[{_UNSEEN}]*+(?!\w)"
# what looks fenced already is fenced once more, so that it is not taken for a tag of ours later
_TAG = re.compile(rf"<(?={_NAME})|&(?=(?:amp;)*lt;{_NAME})")
_FENCED_TAG = re.compile(rf"&lt;(?={_NAME})|&amp;(?=(?:amp;)*lt;{_NAME})")


@dataclass(frozen=True)
class Prompt:
    """A prompt: fixed text with `{named}` fields. `version` grows with every change of the text."""

    name: str
    version: int
    system: str
    user: str

    def render(self, **fields: str) -> list[BaseMessage]:
        """Fill the fields. Values are taken as they are: fence what is not ours.

        Raises:
            KeyError: a field has no value.
        """
        opening = f"<task>{self.name}</task>\n"
        return [
            SystemMessage(opening + self.system.strip().format(**fields)),
            HumanMessage(self.user.strip().format(**fields)),
        ]


@dataclass(frozen=True)
class SourceText:
    """A source as a prompt shows it."""

    number: int
    title: str
    passages: tuple[str, ...]
    headings: tuple[str, ...] = ()
    author: str = ""
    site: str = ""
    published: str = ""
    url: str = ""


def fence(text: str) -> str:
    """Defuse our own tags inside foreign text, however they are spelt; all else stays as it is."""
    return _TAG.sub(lambda found: "&lt;" if found[0] == "<" else "&amp;", text)


def unfence(text: str) -> str:
    """Undo `fence`."""
    return _FENCED_TAG.sub(lambda found: "<" if found[0] == "&lt;" else "&", text)


def items(texts: Iterable[str]) -> str:
    """Foreign texts as a list of <item>."""
    return "\n".join(f"<item>{fence(text)}</item>" for text in texts)


def turns(messages: Iterable[tuple[str, str]]) -> str:
    """A conversation as <turn> elements, from (speaker, text)."""
    return "\n".join(
        f'<turn from="{_attribute(speaker)}">{fence(text)}</turn>' for speaker, text in messages
    )


def sources(texts: Iterable[SourceText]) -> str:
    """Sources with all that a writer may say of them: title, author, site, date, address."""
    return "\n".join(_source(source) for source in texts)


def pages(found: Iterable[tuple[str, float, str]]) -> str:
    """Pages that could be read, numbered from 1, from (address, weight, what is said of them)."""
    return "\n".join(
        f'<page n="{n}" weight="{weight:.2f}" url="{_attribute(url)}">{fence(words)}</page>'
        for n, (url, weight, words) in enumerate(found, start=1)
    )


def _source(source: SourceText) -> str:
    told = {
        "title": source.title,
        "author": source.author,
        "site": source.site,
        "published": source.published,
        "url": source.url,
    }
    attributes = "".join(f' {name}="{_attribute(value)}"' for name, value in told.items() if value)
    headings = source.headings or ("",) * len(source.passages)
    body = "\n".join(
        f'<passage heading="{_attribute(heading)}">\n{fence(text)}\n</passage>'
        for heading, text in zip(headings, source.passages, strict=True)
    )
    return f'<source n="{source.number}"{attributes}>\n{body}\n</source>'


def _attribute(value: str) -> str:
    return html.escape(" ".join(value.split()), quote=True)
