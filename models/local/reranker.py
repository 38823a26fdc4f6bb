"""Rerankers that run on this machine: the best by words are read together with the question."""

import asyncio
from collections.abc import Sequence

from models.local.heads import find_chances, prepare_head, score_tokens
from retrieval.search.word_ranker import score_by_words
from text.language import detect_language

READ_TEXTS = 30
"""Texts that the model reads, those with most of the question's words. Of more, small models bring
up as much that is wrong as what is right; and each takes time."""


_MOST_LABELS = 2
"""A score, or a no and a yes."""


async def prepare_reranker(name: str) -> None:
    """Fetch, open and try a reranker. Raises as `prepare_head` does."""
    await prepare_head(name, _MOST_LABELS)


async def score_texts(name: str, query: str, texts: Sequence[str]) -> list[float]:
    """A score in 0..1 per text; those that the model did not read come after all that it read.

    A question in a language that the model does not know is left to the words.

    Raises:
        InputError: the name cannot be used.
        ModelUnavailableError: the model cannot be used.
    """
    by_words = await asyncio.to_thread(score_by_words, query, texts)
    model, labels = await prepare_head(name, _MOST_LABELS)
    known = model.weights.traits.languages
    if known and detect_language(query) not in known:
        return by_words
    order = sorted(range(len(texts)), key=lambda place: (-by_words[place], place))
    read, rest = order[:READ_TEXTS], order[READ_TEXTS:]
    tokens = await model.tokenise([(query, texts[place]) for place in read])
    chances = find_chances(await score_tokens(model, tokens))[:, labels - 1].tolist()
    scores = dict(zip(read, chances, strict=True))
    share = 0.99 * min(chances) / (max((by_words[place] for place in rest), default=0.0) or 1.0)
    scores |= {place: share * by_words[place] for place in rest}
    return [scores[place] for place in range(len(texts))]
