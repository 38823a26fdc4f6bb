"""How a model wants to be asked, by the files that sentence-transformers lays beside it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from models.local.known_models import Pooling, Traits

MOST_TOKENS = 1024
"""Read at once, also of a model that could read more: the time grows with the square of it."""

SIDE_FILES = (
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "1_Pooling/config.json",
)
"""What is read beside the graph, where it is there."""

_PASSES_ON = ("Transformer", "Pooling", "Normalize")
"""Modules that need no weights behind those of the graph."""


def read_traits(folder: Path) -> Traits:
    """What the files of a folder say; what most models do where they say nothing."""
    prompts = read_json(folder / "config_sentence_transformers.json").get("prompts") or {}
    return Traits(
        pooling=_read_pooling(read_json(folder / "1_Pooling" / "config.json")),
        query_prefix=str(prompts.get("query") or ""),
        passage_prefix=str(prompts.get("document") or prompts.get("passage") or ""),
        max_tokens=_read_max_tokens(folder),
    )


def find_missing_modules(folder: Path) -> list[str]:
    """The modules behind the encoder, such as `Dense`, whose weights the graph has to hold."""
    modules = read_json(folder / "modules.json").get("items", [])
    names = [str(one.get("type", "")).rpartition(".")[2] for one in modules]
    return [name for name in names if name and name not in _PASSES_ON]


def read_json(path: Path) -> dict[str, Any]:
    """An object of a file, a list as its `items`; nothing where there is no such file."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {"items": found}


def _read_pooling(told: Mapping[str, Any]) -> Pooling:
    mode = str(told.get("pooling_mode", ""))
    if told.get("pooling_mode_cls_token") or mode == "cls":
        return "cls"
    if told.get("pooling_mode_lasttoken") or mode == "lasttoken":
        return "last"
    return "mean"


def _read_max_tokens(folder: Path) -> int:
    told = [
        read_json(folder / "sentence_bert_config.json").get("max_seq_length"),
        read_json(folder / "tokenizer_config.json").get("model_max_length"),
        read_json(folder / "config.json").get("max_position_embeddings"),
    ]
    return min([int(one) for one in told if isinstance(one, int) and one > 0] + [MOST_TOKENS])
