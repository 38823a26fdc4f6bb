"""The models that can run on this machine: what is known, what is there, fetching and removing."""

from collections.abc import Sequence
from dataclasses import dataclass

from models.local.fetch import fetch_missing, forget_failures
from models.local.known_models import MODELS
from models.local.names import PREFIX, is_local, parse_name
from models.local.weights import (
    find_weights,
    list_fetched,
    measure_megabytes,
    remove_weights,
)
from schema.errors import InputError


@dataclass(frozen=True)
class ModelStatus:
    """A local model; `megabytes` are those on the disk where it is there, else of its fetch.

    One that publishes no ONNX graph cannot be fetched: it has to be exported.
    """

    name: str
    kind: str
    languages: tuple[str, ...]
    licence: str
    megabytes: int
    there: bool
    revision: str = ""
    published: bool = True


def list_models() -> list[ModelStatus]:
    """The models of the table, and others that were fetched."""
    fetched = {parse_name(one.name).folder: one for one in list_fetched()}
    found = []
    for one in MODELS:
        here = fetched.pop(parse_name(f"{PREFIX}{one.name}").folder, None)
        found.append(
            ModelStatus(
                name=f"{PREFIX}{one.name}",
                kind=one.kind,
                languages=one.traits.languages,
                licence=one.licence,
                megabytes=here.megabytes if here else one.megabytes,
                there=here is not None,
                revision=here.revision if here else "",
                published=bool(one.file),
            )
        )
    others = (
        ModelStatus(one.name, "", (), "", one.megabytes, there=True, revision=one.revision)
        for one in fetched.values()
    )
    return [*found, *others]


async def fetch_models(names: Sequence[str]) -> list[ModelStatus]:
    """Fetch models that are not there, and check those that are.

    Raises:
        InputError: a name is none, or the extra `local` is not installed.
        QuireError: one cannot be fetched, or is not what was fetched.
    """
    wanted = [parse_name(_complete(name)) for name in names]
    forget_failures()
    found = []
    for one in wanted:
        await fetch_missing(one)
        weights = find_weights(one)
        size = measure_megabytes(weights.folder)
        found.append(
            ModelStatus(one.name, weights.kind or "", weights.traits.languages, "", size, True)
        )
    return found


def remove_models(names: Sequence[str]) -> None:
    """Delete models from Quire's data folder.

    Raises:
        InputError: one is not in there; the others are removed all the same.
    """
    missing = [name for name in names if not remove_weights(parse_name(_complete(name)))]
    if missing:
        raise InputError(
            f"The model {missing[0]} is not in the data folder: see `quire models list`."
        )


def _complete(name: str) -> str:
    return name if is_local(name) else f"{PREFIX}{name}"
