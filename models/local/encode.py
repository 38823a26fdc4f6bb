"""Texts as what a graph takes: tokens, cut to what it reads, in batches of one length."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.local.known_models import Traits
from schema.errors import ModelUnavailableError

if TYPE_CHECKING:
    import numpy as np

_log = logging.getLogger("quire")

BATCH_TOKENS = 1024
"""Tokens of a batch, padding included. More at once are no quicker on a processor's cores."""

BATCH_TEXTS = 8

_TOKEN_INPUTS = ("input_ids", "attention_mask", "token_type_ids", "position_ids")

Text = str | tuple[str, str]
"""A text, or a pair of texts that are read together."""


@dataclass(frozen=True)
class Tokens:
    """A text as tokens; `types` say of which text of a pair each is."""

    ids: Sequence[int]
    types: Sequence[int]


@dataclass(frozen=True)
class Batch:
    """What a graph is given at once; `places` are those of the texts among all."""

    places: Sequence[int]
    feed: "dict[str, np.ndarray]"


class Encoder:
    """Makes tokens of texts for one graph."""

    def __init__(self, name: str, file: Path, traits: Traits, inputs: Sequence[str]) -> None:
        """Open a tokenizer.

        Args:
            name: of the model, for messages.
            file: tokenizer.json.
            traits: say how long a text may be. Of a longer one the end is cut off; of what was
                made by a template the beginning, as what is asked stands at its end.
            inputs: the names of what the graph takes.

        Raises:
            ModelUnavailableError: the tokenizer cannot be read, or the graph wants more than that.
        """
        from tokenizers import Tokenizer  # noqa: PLC0415  (an extra)

        if more := [one for one in inputs if one not in _TOKEN_INPUTS]:
            raise ModelUnavailableError(
                f"The graph of {name} wants {', '.join(more[:3])} beside tokens: take one that is "
                "exported as an encoder."
            )
        try:
            self._tokenizer: Any = Tokenizer.from_file(str(file))
        except Exception as error:
            raise ModelUnavailableError(
                f"The file {file.name} of {name} cannot be used as a tokenizer: fetch it again."
            ) from error
        padding = self._tokenizer.padding or {}
        self._pad = int(padding.get("pad_id", 0))
        self._tokenizer.no_padding()
        side = "left" if traits.template else "right"
        self._tokenizer.enable_truncation(traits.max_tokens, direction=side)
        self._name, self._max_tokens = name, traits.max_tokens
        self._inputs = inputs
        self._told = False

    def tokenise(self, texts: Sequence[Text]) -> list[Tokens]:
        """Tokens of each text; the first time that some are cut is told in the log."""
        encoded = self._tokenizer.encode_batch(list(texts))
        cut = sum(1 for one in encoded if one.overflowing)
        if cut and not self._told:
            self._told = True
            _log.warning(
                "%s reads %d tokens of a text: the rest of longer ones (%d of %d now) is cut off",
                self._name, self._max_tokens, cut, len(texts),
            )  # fmt: skip
        return [Tokens(one.ids, one.type_ids) for one in encoded]

    def make_batches(self, tokens: Sequence[Tokens], most: int = BATCH_TEXTS) -> Iterator[Batch]:
        """The texts in batches, the longest first: what runs out of memory does so at once.

        Args:
            tokens: of the texts.
            most: texts of a batch.
        """
        for places in plan_batches([len(one.ids) for one in tokens], most):
            yield Batch(places, self._make_feed([tokens[place] for place in places]))

    def _make_feed(self, tokens: Sequence[Tokens]) -> "dict[str, np.ndarray]":
        import numpy as np  # noqa: PLC0415  (importing a graph loads no numpy)

        shape = len(tokens), max(1, *(len(one.ids) for one in tokens))
        ids, mask, types = np.full(shape, self._pad, np.int64), *np.zeros((2, *shape), np.int64)
        for row, one in enumerate(tokens):
            ids[row, : len(one.ids)] = one.ids
            mask[row, : len(one.ids)] = 1
            types[row, : len(one.ids)] = one.types
        positions = np.maximum(mask.cumsum(1) - 1, 0)
        found = dict(zip(_TOKEN_INPUTS, (ids, mask, types, positions), strict=True))
        return {name: found[name] for name in self._inputs}


def plan_batches(lengths: Sequence[int], most: int = BATCH_TEXTS) -> list[list[int]]:
    """The places of texts in batches of like lengths, the longest first."""
    batches: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        last = batches[-1] if batches else []
        longest = lengths[last[0]] if last else 0
        if last and len(last) < most and longest * (len(last) + 1) <= BATCH_TOKENS:
            last.append(place)
        else:
            batches.append([place])
    return batches
