"""Whether an embedding model adds to the words: its cosine as one more feature of a claim."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.embedders import named_embedder
from benchmarks.measures.claims import Claim, Floats, Truths, auc, fitted

BATCH = 256
"""Texts that are embedded at once."""


@dataclass(frozen=True)
class Compared:
    """A set: which claims are supported, which refuted, the words' z of each, and its cosine."""

    right: Truths
    refuted: Truths
    z: Floats
    cosine: Floats


async def find_cosines(name: str, claims: Sequence[Claim], sources: Sequence[Any]) -> Floats:
    """The cosine of each claim and the sentence of its source that is nearest to it.

    Args:
        name: of an embedding model, as in `benchmarks.embedders`.
        claims: of a set.
        sources: of each claim, prepared.
    """
    embedder = named_embedder(name)
    if embedder is None:
        raise SystemExit(f"There is no embedding model {name}: give a folder or provider:model.")
    said = {id(source): [unit.facts.text for unit in source.sentences] for source in sources}
    texts = [*{*(one.text for one in claims), *(text for held in said.values() for text in held)}]
    vectors: dict[str, Floats] = {}
    for first in range(0, len(texts), BATCH):
        batch = texts[first : first + BATCH]
        found = np.array(await embedder.embed_documents(batch))
        found /= np.linalg.norm(found, axis=1, keepdims=True)
        vectors |= zip(batch, found, strict=True)

    def find_nearest(claim: str, texts: Sequence[str]) -> float:
        return max((float(vectors[claim] @ vectors[text]) for text in texts), default=0.0)

    pairs = zip(claims, sources, strict=True)
    return np.array([find_nearest(claim.text, said[id(source)]) for claim, source in pairs])


def show_cosines(sets: Mapping[str, Compared]) -> None:
    """Print the AUC of words, of words with the cosine, and of the cosine alone.

    "vs refuted" is that among the claims which are supported or refuted, where labels tell.
    """
    names = ("words", "with cosine", "cosine", "words vs refuted", "with cosine")
    print(f"\n{'fitted on':<16}{'measured on':<16}" + "".join(f"{name:>18}" for name in names))
    for first, one in sets.items():
        evidence = np.column_stack([one.z, one.cosine, np.ones(len(one.z))])
        weights = fitted(evidence, one.right, np.ones(len(one.z)))
        for second, told in sets.items():
            if first == second:
                continue
            both = told.z * weights[0] + told.cosine * weights[1]
            found = [auc(told.right, scores) for scores in (told.z, both, told.cosine)]
            if told.refuted.any():
                known = told.right | told.refuted
                found += [auc(told.right[known], scores[known]) for scores in (told.z, both)]
            print(f"{first:<16}{second:<16}" + "".join(f"{value:>18.3f}" for value in found))
