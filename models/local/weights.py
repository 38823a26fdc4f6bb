"""The files of a local model: whether they are there, and whether they are what was fetched."""

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from models.local.known_models import Kind, Traits
from models.local.names import WantedModel, get_models_folder
from models.local.traits import read_json, read_traits
from schema.errors import ModelUnavailableError

RECORD = "fetched.json"

_USUAL_GRAPHS = ("onnx/model.onnx", "model.onnx")


@dataclass(frozen=True)
class FetchRecord:
    """What was fetched, and is trusted from then on: SHA-256 by file, of one commit."""

    name: str
    repository: str
    revision: str
    file: str
    sha256: Mapping[str, str]


@dataclass(frozen=True)
class Weights:
    """The files of a model that is there."""

    name: str
    folder: Path
    graph: Path
    traits: Traits
    kind: Kind | None


@dataclass(frozen=True)
class FetchedModel:
    """A model in Quire's data folder."""

    name: str
    revision: str
    megabytes: int


def is_there(wanted: WantedModel) -> bool:
    """Whether a model can be used without the network."""
    return (wanted.folder / RECORD).exists() if wanted.repository else wanted.folder.is_dir()


def find_weights(wanted: WantedModel) -> Weights:
    """The files of a model, compared with what was fetched.

    Raises:
        ModelUnavailableError: they are not there, not whole, or not what was fetched.
    """
    if not is_there(wanted):
        place = "fetched yet" if wanted.repository else f"in {wanted.folder}: there is no folder"
        raise ModelUnavailableError(f"The model {wanted.name} is not {place}.")
    file = wanted.file
    if wanted.repository:
        record = read_record(wanted.folder)
        check_hashes(wanted, record.sha256)
        file = record.file
    names = [str(path.relative_to(wanted.folder)) for path in wanted.folder.rglob("*.onnx")]
    graph = wanted.folder / choose_graph(wanted, names, file)
    if not (wanted.folder / "tokenizer.json").exists():
        raise ModelUnavailableError(
            f"The model {wanted.name} has no tokenizer.json: save its tokenizer beside it."
        )
    known = wanted.known
    return Weights(
        name=wanted.name,
        folder=wanted.folder,
        graph=graph,
        traits=known.traits if known else read_traits(wanted.folder),
        kind=known.kind if known else None,
    )


def choose_graph(wanted: WantedModel, names: Iterable[str], file: str) -> str:
    """The ONNX graph among the files of a model.

    Raises:
        ModelUnavailableError: there is none, or it is not clear which.
    """
    graphs = sorted(name.replace("\\", "/") for name in names if name.endswith(".onnx"))
    usual = [name for name in ([file] if file else _USUAL_GRAPHS) if name in graphs]
    if usual or (len(graphs) == 1 and not file):
        return (usual or graphs)[0]
    if file and file not in _USUAL_GRAPHS:
        raise ModelUnavailableError(f"The model {wanted.name} has no file {file}.")
    if graphs:
        found = ", ".join(graphs)
        raise ModelUnavailableError(
            f"The model {wanted.name} has several ONNX files ({found}): name one of them, as "
            f"{wanted.name}/{graphs[0]}."
        )
    raise ModelUnavailableError(
        f"The model {wanted.name} has no ONNX file: export it, and name the folder, as "
        f"onnx:/PATH/{wanted.known.name if wanted.known else 'MODEL'}."
    )


def check_hashes(
    wanted: WantedModel, expected: Mapping[str, str], folder: Path | None = None
) -> None:
    """Compare files with their SHA-256.

    Raises:
        ModelUnavailableError: one is missing, or is another.
    """
    for name, digest in expected.items():
        path = (folder or wanted.folder) / name
        if not path.is_file() or hash_file(path) != digest:
            raise ModelUnavailableError(
                f"The file {name} of {wanted.name} is not what it should be (its SHA-256 "
                f"differs): run `quire models remove {wanted.name}`, and fetch it again from a "
                "place that you trust."
            )


def hash_file(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_record(folder: Path) -> FetchRecord:
    """What was fetched into a folder."""
    told = read_json(folder / RECORD)
    return FetchRecord(
        name=str(told.get("name", "")),
        repository=str(told.get("repository", "")),
        revision=str(told.get("revision", "")),
        file=str(told.get("file", "")),
        sha256=dict(told.get("sha256", {})),
    )


def write_record(folder: Path, record: FetchRecord) -> None:
    """Note what was fetched into a folder."""
    (folder / RECORD).write_text(json.dumps(asdict(record), indent=2) + "\n", encoding="utf-8")


def list_fetched() -> list[FetchedModel]:
    """The models in Quire's data folder, by name."""
    found = []
    for path in sorted(get_models_folder().glob(f"*/{RECORD}")):
        record = read_record(path.parent)
        found.append(FetchedModel(record.name, record.revision, measure_megabytes(path.parent)))
    return found


def measure_megabytes(folder: Path) -> int:
    """What the files of a folder take, rounded up to millions of bytes."""
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return -(-size // 1_000_000)


def remove_weights(wanted: WantedModel) -> bool:
    """Delete what was fetched of a model; False where nothing was. A folder of one's own stays."""
    if not wanted.repository:
        return False
    part = find_part(wanted)
    there = wanted.folder.exists() or part.exists()
    for folder in (wanted.folder, part):
        shutil.rmtree(folder, ignore_errors=True)
    return there


def find_part(wanted: WantedModel) -> Path:
    """Where the files of a model are until they are whole."""
    return wanted.folder.with_name(f"{wanted.folder.name}.part")
