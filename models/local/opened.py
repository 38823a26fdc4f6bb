"""A local model, ready to be asked: fetched where it is missing, opened once per process."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from models.local.encode import BATCH_TEXTS, Batch, Encoder, Text, Tokens
from models.local.fetch import fetch_missing
from models.local.names import WantedModel, parse_name
from models.local.packages import require_packages
from models.local.session import Graph, compute
from models.local.weights import Weights, find_weights

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class OpenModel:
    """A graph with its tokenizer."""

    weights: Weights
    graph: Graph
    encoder: Encoder

    async def tokenise(self, texts: Sequence[Text]) -> list[Tokens]:
        """Tokens of each text, or pair of texts."""
        return await compute(self.encoder.tokenise, texts)

    async def run(
        self, tokens: Sequence[Tokens], output: str
    ) -> "AsyncIterator[tuple[Batch, np.ndarray]]":
        """An output of the graph for each batch; others have their turn between two of them."""
        for batch in self.encoder.make_batches(tokens, 1 if self.graph.mixes else BATCH_TEXTS):
            yield batch, (await compute(self.graph.run, batch.feed, [output]))[0]


async def prepare_model(name: str) -> OpenModel:
    """Fetch a model where it is missing, and open it: minutes the first time, then nothing.

    Raises:
        InputError: the name is none, or the extra `local` is not installed.
        ModelUnavailableError: it cannot be fetched, or not be used; says what to do.
    """
    require_packages(name)
    wanted = parse_name(name)
    await fetch_missing(wanted)
    return await compute(_open, wanted)


@lru_cache(maxsize=4)
def _open(wanted: WantedModel) -> OpenModel:
    weights = find_weights(wanted)
    graph = Graph(weights.name, weights.graph)
    file = weights.folder / "tokenizer.json"
    encoder = Encoder(weights.name, file, weights.traits, graph.inputs)
    return OpenModel(weights, graph, encoder)
