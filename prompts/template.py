"""The form of a prompt, and the fence around everything that Quire did not write itself.

Sources, questions and conversation are data. They stand inside tags, and whatever looks like one
of our tags in them is defused, so that a page cannot close its fence and speak as the prompt.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from string import Formatter
from typing import Any, ClassVar, Protocol, Self, cast, dataclass_transform

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from prompts.fragments import name_language

TAGS = (
    "task", "question", "conversation", "turn", "language", "outline", "section", "questions",
    "item", "sources", "source", "passage", "sections", "position", "length", "date",
    "memory", "templates", "goal", "actions", "known", "diary", "tried", "needs",
    "requirements", "pages", "page", "criterion", "aspects", "count", "answer", "sentence",
    "sentences", "draft", "instruction", "settings", "data", "points", "point", "notes", "shape",
    "form", "audience", "style", "words", "most_words", "not_shown", "repeats", "worked_out",
    "further", "open",
)  # fmt: skip
# what a reader does not see: format and control characters, and others that Unicode says to ignore
_INVISIBLE = (
    "\0-\x08\x0e-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160"
    "\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_TAG_WORD = "|".join(f"[{_INVISIBLE}]*+".join(tag) for tag in TAGS)
_TAG_NAME = rf"[\s/{_INVISIBLE}]*+(?i:{_TAG_WORD})(?:(?!\w)|[{_INVISIBLE}]++(?!\w))"
# what looks fenced already is fenced once more, so that it is not taken for a tag of ours later
_TAG = rf"[<&](?=(?:(?<=<)|(?<=&)(?:amp;)*lt;){_TAG_NAME})"


class Element(Protocol):
    """A part of a prompt that writes itself as tags of ours, what is foreign in it fenced."""

    def render(self, place: int) -> str:
        """The part; `place` is its number among its like, from 1."""
        ...


Value = str | int | None | Sequence[str | Element]


@dataclass(frozen=True)
class GivesWay:
    """A field whose parts may be left out where a model's window is too small for all of them.

    Its first parts are kept, or its last ones where it is in order of time; never fewer than
    `least`, if there are so many.
    """

    field: str
    least: int = 0
    newest: bool = False


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Prompt:
    """A prompt: fixed texts with `{named}` fields, which a subclass declares as a dataclass does.

    The fields of `system` are Quire's own words and stand as they are. Those of `user` may be
    foreign and are fenced: a text as it is, several as a list of <item>, an element by itself.
    `version` grows with every change of the texts. `answer_tokens` are kept free for the answer;
    the fields of `gives_way` are shortened in this order, each as far as it may be, until the rest
    fits the model's window. `ceiling_share` is how much of a run's ceiling may be spent when this
    prompt is answered; what it leaves is kept for later steps.
    """

    name: ClassVar[str]
    version: ClassVar[int]
    system: ClassVar[str]
    user: ClassVar[str]
    answer_tokens: ClassVar[int] = 1_000
    gives_way: ClassVar[tuple[GivesWay, ...]] = ()
    ceiling_share: ClassVar[float] = 0.9

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    @property
    def language_name(self) -> str:
        """The name of the `language` to write in, for prompts that have one."""
        return name_language(vars(self)["language"])

    def render(self) -> list[BaseMessage]:
        """The messages for a language model. The extractive model takes the fields themselves."""
        opening = f"<task>{self.name}</task>\n"
        system = {name: getattr(self, name) for name in _find_fields(self.system)}
        user = {name: _render_value(getattr(self, name)) for name in _find_fields(self.user)}
        return [
            SystemMessage(opening + self.system.strip().format(**system)),
            HumanMessage(self.user.strip().format(**user)),
        ]

    def count_parts(self, field: str) -> int:
        """Of how many parts a list is made; a source counts as many as it has passages."""
        return sum(_count_passages(one) for one in getattr(self, field))

    def keep_parts(self, way: GivesWay, kept: int) -> Self:
        """The prompt with so many parts of a list, the others left out."""
        values: list[str | Element] = list(getattr(self, way.field))
        if way.newest:
            shorter = values[max(0, len(values) - kept) :]
        else:
            shorter = []
            for one in values:
                left = kept - sum(_count_passages(taken) for taken in shorter)
                if left <= 0:
                    break
                shorter.append(one.keep_passages(left) if isinstance(one, SourceText) else one)
        return cast("Self", replace(cast("Any", self), **{way.field: shorter}))


@dataclass(frozen=True)
class SourceText:
    """A source with all that a writer may say of it; title and headings are put on one line.

    Of its `url` a prompt has the host, where there is no site: paths are long and tell little.
    `kind` is what sort of source it is, in words, "" where that tells nothing; `not_shown` the
    headings of what a prompt leaves out of it, or how long that is.
    """

    number: int
    title: str
    passages: tuple[str, ...]
    headings: tuple[str, ...] = ()
    author: str = ""
    site: str = ""
    published: str = ""
    url: str = ""
    kind: str = ""
    not_shown: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        headings = self.headings or ("",) * len(self.passages)
        if len(headings) != len(self.passages):
            raise ValueError("a source has a heading for each of its passages, or none at all")
        object.__setattr__(self, "title", " ".join(self.title.split()))
        object.__setattr__(self, "headings", tuple(" ".join(one.split()) for one in headings))

    def keep_passages(self, kept: int) -> "SourceText":
        """The source with its first passages alone; the headings of the rest are not shown."""
        hidden = filter(None, self.headings[kept:])
        return replace(
            self,
            passages=self.passages[:kept],
            headings=self.headings[:kept],
            not_shown=tuple(dict.fromkeys([*hidden, *self.not_shown])),
        )

    def render(self, _place: int) -> str:
        """The source under its own number."""
        told = {name: getattr(self, name) for name in ("title", "author", "site", "kind")}
        told["site"] = self.site or _find_host(self.url)
        told["published"] = self.published
        attributes = "".join(
            f' {name}="{_escape_attribute(value)}"' for name, value in told.items() if value
        )
        body = "\n".join(
            f"<passage{self._describe_heading(heading, text)}>\n{fence(text)}\n</passage>"
            for heading, text in zip(self.headings, self.passages, strict=True)
        )
        hidden = "; ".join(" ".join(fence(one).split()) for one in self.not_shown)
        rest = f"\n<not_shown>{hidden}</not_shown>" if hidden else ""
        return f'<source n="{self.number}"{attributes}>\n{body}{rest}\n</source>'

    def _describe_heading(self, heading: str, text: str) -> str:
        """The heading as an attribute; "" where the title or the first line of the text is it."""
        first = text.lstrip().partition("\n")[0]
        is_said = heading == self.title or first.lstrip("# ") == heading
        return "" if is_said else f' heading="{_escape_attribute(heading)}"'


@dataclass(frozen=True)
class PageText:
    """A page that could be read; `weight` in 0..1 says how likely it is to hold the answer."""

    url: str
    weight: float
    words: str

    def render(self, place: int) -> str:
        """The page under its place."""
        return (
            f'<page n="{place}" weight="{self.weight:.2f}" url="{_escape_attribute(self.url)}">'
            f"{fence(self.words)}</page>"
        )


@dataclass(frozen=True)
class SectionOutline:
    """A section of an outline; `told` where its questions stand elsewhere in the prompt."""

    title: str
    questions: Sequence[str]
    told: bool = field(default=False, kw_only=True)

    def render(self, _place: int) -> str:
        """The title with the questions below it."""
        title = fence_attribute(self.title)
        if self.told:
            return f'<section title="{title}"/>'
        return f'<section title="{title}">\n{_render_value(self.questions)}\n</section>'


@dataclass(frozen=True)
class NumberedLine:
    """A text that an answer names by its number; it is put on one line."""

    text: str

    def render(self, place: int) -> str:
        """The text behind its number."""
        return f"{place}: {fence(' '.join(self.text.split()))}"


@dataclass(frozen=True)
class Turn:
    """What somebody said in a conversation."""

    speaker: str
    text: str

    def render(self, _place: int) -> str:
        """The turn with its speaker."""
        return f'<turn from="{_escape_attribute(self.speaker)}">{fence(self.text)}</turn>'


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    """A pattern on its first use: that takes 0.03 s, which importing a graph does not need."""
    return re.compile(pattern)


def fence(text: str) -> str:
    """Defuse our own tags inside foreign text, however they are spelt; all else stays as it is."""
    return _compile(_TAG).sub(lambda found: "&lt;" if found[0] == "<" else "&amp;", text)


def fence_attribute(text: str) -> str:
    """A fenced text as the value of an attribute."""
    return fence(text).replace('"', "&quot;")


def _render_value(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, str | int):
        return fence(str(value))
    return "\n".join(
        f"<item>{fence(one)}</item>" if isinstance(one, str) else one.render(place)
        for place, one in enumerate(value, start=1)
    )


def _count_passages(one: str | Element) -> int:
    return max(1, len(one.passages)) if isinstance(one, SourceText) else 1


def _find_fields(template: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(template) if name]


def _find_host(url: str) -> str:
    """The host of an address in the web, "" of any other."""
    found = re.match(r"https?://(?:www\.)?([^/?#]+)", url)
    return found[1] if found else ""


def _escape_attribute(value: str) -> str:
    return html.escape(" ".join(value.split()), quote=True)
