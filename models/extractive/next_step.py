"""The next step of a deep search and its queries, by rules: follow a name, read, ask, answer."""

import json
import re

from models.extractive.answer import Cover, find_cover, list_names
from models.extractive.candidates import find_content_terms
from prompts.choose_action import ChooseActionPrompt
from prompts.template import PageText
from prompts.write_queries import WriteQueriesPrompt
from text.tokens import tokenise

CONVINCING_SHARE = 0.8
"""Share of the question that the sources hold, from which on there is no need to read more."""

READ_AT_ONCE = 3
"""Pages of one step."""

MIN_WEIGHT = 0.2
"""Of a page that is worth reading where the sources do not name it."""

_WORD = re.compile(r"[^\W_](?:[\w’'-]*\w)?")


def choose_action(asked: ChooseActionPrompt) -> str:
    """JSON of `Decision`: the answer where the sources hold it, else a page, else a search.

    A page that the best sentences name is read first. Where they bring a name and no page of it is
    known, that name is searched for, with the words that are still missing.
    """
    offered, cover = asked.offered, find_cover(asked)
    if "answer" in offered and cover.share >= CONVINCING_SHARE:
        return json.dumps({"action": "answer"})
    read = {source.title for source in asked.sources}
    waiting = {n: page for n, page in enumerate(asked.pages, 1) if _get_name(page) not in read}
    named = [n for n, page in waiting.items() if _is_named(_get_name(page), cover)]
    promising = [n for n, page in waiting.items() if n not in named and page.weight >= MIN_WEIGHT]
    needs = [] if named else _find_needs(asked, cover)
    if needs and "search" in offered:
        return json.dumps({"action": "search", "needs": needs}, ensure_ascii=False)
    order = ["visit", "search", "answer"] if named or promising else ["search", "answer", "visit"]
    action = next((one for one in order if one in offered), offered[0])
    numbers = [*named, *promising][:READ_AT_ONCE] if action == "visit" else []
    return json.dumps({"action": action, "pages": numbers})


def write_queries(asked: WriteQueriesPrompt) -> str:
    """JSON of `WantedQueries`: what is needed, and the question."""
    texts = [text[:300] for text in [*asked.needs, asked.question] if text]
    return json.dumps({"queries": [{"query": text} for text in texts[:5]]}, ensure_ascii=False)


def _get_name(page: PageText) -> str:
    """What links call a page."""
    return page.words.partition(" · ")[0]


def _is_named(name: str, cover: Cover) -> bool:
    """Whether a sentence that holds a part of the question names a page."""
    return len(name) > 1 and any(name in one.text for one in cover.sentences)


def _find_needs(asked: ChooseActionPrompt, cover: Cover) -> list[str]:
    """Names that the best sentences bring, each with the words that they leave open."""
    tried = " ".join(asked.tried)
    known = set(find_content_terms(f"{asked.question} {tried}", asked.language))
    open_words = [
        word
        for word in _WORD.findall(asked.question)
        if cover.missing_terms.intersection(tokenise(word, asked.language))
    ]
    telling = [*cover.sentences, *cover.page_sentences]
    names = [name for one in telling for name in list_names(one.text, asked.language)]
    new = [
        name
        for name in dict.fromkeys(names)
        if not known.issuperset(find_content_terms(name, asked.language))
    ]
    return [" ".join([name, *open_words])[:300] for name in new[:3]] if open_words else []
