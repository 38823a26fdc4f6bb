"""The next step of a deep search and its queries, by rules: follow a name, read, ask, answer."""

import json
import re
from dataclasses import dataclass

from models.extractive.answering import Cover, covering, names_in
from models.extractive.reading import Asked
from models.extractive.sentences import content
from prompts.template import unfence
from retrieval.analysis import terms

CONVINCING = 0.8
"""Share of the question that the sources hold, from which on there is no need to read more."""

READ_AT_ONCE = 3
"""Pages of one step."""

LEAST_WEIGHT = 0.2
"""Of a page that is worth reading where the sources do not name it."""

_PAGE = re.compile(r'<page n="(\d+)" weight="([\d.]+)" url="[^"]*">(.*?)</page>', re.DOTALL)
_WORD = re.compile(r"[^\W_](?:[\w’'-]*\w)?")


@dataclass(frozen=True)
class _Open:
    """A page that could be read: its number, and what is said of it."""

    number: int
    weight: float
    words: str

    @property
    def name(self) -> str:
        """What links call it."""
        return self.words.partition(" · ")[0]


def choose_action(asked: Asked) -> str:
    """JSON of `Decision`: the answer where the sources hold it, else a page, else a search.

    A page that the best sentences name is read first. Where they bring a name and no page of it is
    known, that name is searched for, with the words that are still missing.
    """
    offered, cover = asked.items("actions"), covering(asked)
    if "answer" in offered and cover.share >= CONVINCING:
        return json.dumps({"action": "answer"})
    read = {source.title for source in asked.sources}
    waiting = [page for page in _open_pages(asked) if page.name not in read]
    named = [page for page in waiting if _is_named(page.name, cover)]
    promising = [page for page in waiting if page not in named and page.weight >= LEAST_WEIGHT]
    needs = [] if named else _needs(asked, cover)
    if needs and "search" in offered:
        return json.dumps({"action": "search", "needs": needs}, ensure_ascii=False)
    order = ["visit", "search", "answer"] if named or promising else ["search", "answer", "visit"]
    action = next((one for one in order if one in offered), offered[0])
    numbers = [page.number for page in [*named, *promising][:READ_AT_ONCE]]
    return json.dumps({"action": action, "pages": numbers if action == "visit" else []})


def write_queries(asked: Asked) -> str:
    """JSON of `WantedQueries`: what is needed, and the question."""
    texts = [text[:300] for text in [*asked.items("needs"), asked.one("question")] if text]
    return json.dumps({"queries": [{"query": text} for text in texts[:5]]}, ensure_ascii=False)


def _open_pages(asked: Asked) -> list[_Open]:
    """The pages of the prompt, best first."""
    return [
        _Open(int(number), float(weight), unfence(words))
        for number, weight, words in _PAGE.findall(asked.text)
    ]


def _is_named(name: str, cover: Cover) -> bool:
    """Whether a sentence that holds a part of the question names a page."""
    return len(name) > 1 and any(name in one.text for one in cover.sentences)


def _needs(asked: Asked, cover: Cover) -> list[str]:
    """Names that the best sentences bring, each with the words that they leave open."""
    question, tried = asked.one("question"), " ".join(asked.items("tried"))
    known = set(content(f"{question} {tried}", asked.language))
    open_words = [
        word
        for word in _WORD.findall(question)
        if cover.missing.intersection(terms(word, asked.language))
    ]
    telling = [*cover.sentences, *cover.about]
    names = [name for one in telling for name in names_in(one.text, asked.language)]
    new = [
        name for name in dict.fromkeys(names) if not known.issuperset(content(name, asked.language))
    ]
    return [" ".join([name, *open_words])[:300] for name in new[:3]] if open_words else []
