"""Embedding models of the tests' own: texts that share words, or what words stand for, are near."""

from collections.abc import Callable, Sequence

from fakes.vectors import vector
from langchain_core.embeddings import Embeddings

from library.library import Library
from models.embeddings import Embedder

SYNONYMS = {"automobile": "car", "kraftwagen": "car", "physician": "doctor", "arzt": "doctor"}


def by_words(text: str, dimension: int = 64) -> list[float]:
    """A vector by the words of a text, some of which stand for others."""
    words = text.casefold().replace(".", " ").replace("?", " ").split()
    return vector(" ".join(SYNONYMS.get(word, word) for word in words), dimension)


class Model(Embeddings):
    """A model that is a function."""

    def __init__(self, meaning: Callable[[str], list[float]]) -> None:
        self._meaning = meaning

    def embed_query(self, text: str) -> list[float]:
        return self._meaning(text)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self._meaning(text) for text in texts]

    async def aembed_query(self, text: str) -> list[float]:
        return self._meaning(text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        return self.embed_documents(texts)


def speaking(
    library: Library,
    meaning: Callable[[str], list[float]] = by_words,
    name: str = "test:words",
    languages: Sequence[str] = (),
) -> Library:
    """The library with this embedding model."""
    library.embedder = Embedder(name, Model(meaning), 5, languages)
    return library
