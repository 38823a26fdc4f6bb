"""What a graph says of pairs of texts: the logits of its head, and what each of them means."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from models.local.encode import Tokens
from models.local.opened import OpenModel, prepare_model
from models.local.session import compute
from schema.errors import ModelUnavailableError

if TYPE_CHECKING:
    import numpy as np

Meaning = Literal["supported", "contradicted", "absent"]

_PROBE: tuple[str, str] = ("A text.", "Another one.")


async def prepare_head(name: str, most_labels: int = 3) -> tuple[OpenModel, int]:
    """A model with a head, and how many logits that gives for a pair.

    A graph may end at the encoder, and its numbers would still be numbers: it is asked once.

    Raises:
        InputError: as `prepare_model`.
        ModelUnavailableError: as `prepare_model`, or the graph has no head of so few labels.
    """
    model = await prepare_model(name)
    shape = await compute(_probe, model)
    if len(shape) != 1 or not 1 <= shape[0] <= most_labels:
        numbers = " x ".join(map(str, shape))
        raise ModelUnavailableError(
            f"The graph of {name} has no head: it gives {numbers} numbers for a pair in place of "
            "a score. Export it with its classification layers."
        )
    return model, shape[0]


@lru_cache(maxsize=4)
def _probe(model: OpenModel) -> tuple[int, ...]:
    """The shape of what a graph gives for a pair."""
    [batch] = model.encoder.make_batches(model.encoder.tokenise([_PROBE]))
    [found] = model.graph.run(batch.feed, [_choose_output(model)])
    return found.shape[1:] or (1,)


def _choose_output(model: OpenModel) -> str:
    names = model.graph.outputs
    return next((one for one in ("logits", "scores") if one in names), names[0])


async def score_tokens(model: OpenModel, tokens: Sequence[Tokens]) -> "np.ndarray":
    """The logits of each pair, in order, as (pairs, labels)."""
    import numpy as np  # noqa: PLC0415  (importing a graph loads no numpy)

    found: dict[int, np.ndarray] = {}
    async for batch, given in model.run(tokens, _choose_output(model)):
        logits = given.reshape(len(batch.places), -1).astype(np.float32)
        found |= zip(batch.places, logits, strict=True)
    return np.stack([found[place] for place in range(len(tokens))])


def read_meanings(told: Mapping[str, str], labels: int) -> list[Meaning]:
    """What each logit of a head means, by the names in the model's `id2label`.

    Two labels that are called after their numbers are "no" and "yes", and one is "yes".

    Raises:
        ValueError: three labels have names that say nothing.
    """
    if labels == 1:
        return ["supported"]
    found = [_read_meaning(str(told.get(str(place), ""))) for place in range(labels)]
    if labels == 2:
        yes = found.index("supported") if found.count("supported") == 1 else 1
        return ["supported" if place == yes else "absent" for place in range(2)]
    meanings: list[Meaning] = [one for one in found if one]
    if sorted(meanings) != ["absent", "contradicted", "supported"]:
        raise ValueError("the names of its labels do not say what they mean")
    return meanings


_NO = ("no", "un", "in", "neutral", "neither", "hallucinat")
_YES = ("entail", "support", "consistent", "factual", "faithful", "grounded", "yes", "true")


def _read_meaning(label: str) -> Meaning | None:
    name = label.lower().strip()
    if name.startswith(("contradict", "refute")):
        return "contradicted"
    if name.startswith(_NO):
        return "absent"
    return "supported" if name.startswith(_YES) else None


def find_chances(logits: "np.ndarray") -> "np.ndarray":
    """Chances of each label, in rows of 1; of a single logit, of "yes" alone."""
    import numpy as np  # noqa: PLC0415

    if logits.shape[1] == 1:
        one: np.ndarray = 1 / (1 + np.exp(-np.clip(logits, -60, 60)))
        return one
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    found: np.ndarray = powers / powers.sum(axis=1, keepdims=True)
    return found
