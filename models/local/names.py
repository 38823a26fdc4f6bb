"""What the name of a local model stands for: a folder, a model of the table, or a repository."""

import re
from dataclasses import dataclass
from pathlib import Path

from models.local.known_models import BY_NAME, BY_REPOSITORY, LocalModel
from schema.errors import InputError
from schema.settings import get_settings

PREFIX = "onnx:"

_REPOSITORY = re.compile(r"(?P<repository>[\w.-]+/[\w.-]+)(?:/(?P<file>[\w./-]+\.onnx))?")
_DOTS = re.compile(r"(^|/)\.\.?(/|$)")


@dataclass(frozen=True)
class WantedModel:
    """A local model as it was named.

    Args:
        name: as configured, with `onnx:`.
        folder: where its files are, or will be.
        repository: that they are fetched from; "" where the folder is one's own.
        file: the ONNX graph, from the folder on; "" where it has to be looked for.
        known: the line of the table, if it is in there.
    """

    name: str
    folder: Path
    repository: str = ""
    file: str = ""
    known: LocalModel | None = None


def is_local(name: str) -> bool:
    """Whether a name is one of a local model."""
    return name.startswith(PREFIX)


def get_models_folder() -> Path:
    """Where the files of fetched models are."""
    return get_settings().data_dir / "models"


def parse_name(name: str) -> WantedModel:
    """Read `onnx:NAME`, `onnx:ORG/NAME`, `onnx:ORG/NAME/FILE.onnx`, or `onnx:` and a path.

    A folder of one's own that is called like a model of the table is asked as that one is.

    Raises:
        InputError: it is none of them.
    """
    given = name.removeprefix(PREFIX).strip()
    if given.startswith(("/", "~", "./", "../")) or Path(given).is_absolute():
        return _parse_path(name, Path(given).expanduser())
    if known := BY_NAME.get(given):
        return _make_wanted(name, known.repository, known.file, known)
    found = _REPOSITORY.fullmatch(given)
    if found is None or _DOTS.search(given):
        raise InputError(
            f"The local model '{name}' cannot be used: write onnx:NAME with a name that `quire "
            "models list` shows, onnx:ORG/NAME of the model hub, or onnx:/PATH/OF/A/FOLDER."
        )
    repository, file = found["repository"], found["file"] or ""
    known = BY_REPOSITORY.get(repository)
    return _make_wanted(name, repository, file or (known.file if known else ""), known)


def _parse_path(name: str, path: Path) -> WantedModel:
    path = path.resolve()
    folder, file = (path.parent, path.name) if path.suffix == ".onnx" else (path, "")
    if folder.name == "onnx" and not (folder / "tokenizer.json").exists():
        folder, file = folder.parent, f"onnx/{file}"
    return WantedModel(name, folder, file=file, known=BY_NAME.get(folder.name))


def _make_wanted(name: str, repository: str, file: str, known: LocalModel | None) -> WantedModel:
    parts = [repository] if known and file == known.file else [repository, file]
    folder = "--".join(part.replace("/", "--") for part in parts if part)
    return WantedModel(name, get_models_folder() / folder, repository, file, known)
