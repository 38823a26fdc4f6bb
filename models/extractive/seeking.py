"""The next step of a deep search and its queries, by rules: read, then ask, then answer."""

import json

from models.extractive.answering import covering
from models.extractive.reading import Asked
from models.extractive.sentences import content
from retrieval.analysis import detect_language

CONVINCING = 0.8
"""Share of the question that the sources hold, from which on there is no need to read more."""


def choose_action(asked: Asked) -> str:
    """JSON of `Decision`: the answer where the sources hold it, else a page, else a search."""
    offered = asked.items("actions")
    convinced = "answer" in offered and covering(asked).share >= CONVINCING
    order = ["answer"] if convinced else ["visit", "search", "answer"]
    action = next((one for one in order if one in offered), offered[0])
    return json.dumps({"action": action})


def write_queries(asked: Asked) -> str:
    """JSON of `WantedQueries`: what is needed, the question, and its words without the others."""
    question = asked.one("question")
    words = " ".join(dict.fromkeys(content(question, detect_language(question))))
    texts = [text[:300] for text in [*asked.items("needs"), question, words] if text]
    return json.dumps({"queries": [{"query": text} for text in texts[:5]]}, ensure_ascii=False)
