"""What models cost, by a table of prices that the user keeps or that litellm brings."""

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from models.extractive.chat_model import EXTRACTIVE
from schema.errors import InputError
from schema.settings import get_settings

_LITELLM_FILE = "model_prices_and_context_window_backup.json"


@dataclass(frozen=True)
class Price:
    """US dollars of a token that is read, and of one that is written."""

    read: float
    written: float

    def measure(self, input_tokens: float, output_tokens: float) -> float:
        """US dollars of a call."""
        return input_tokens * self.read + output_tokens * self.written


def find_price(model: str) -> Price | None:
    """The price of a model, `provider:model`; None where no table has it.

    The table is the file that QUIRE_PRICES names, else the one in litellm's package where that is
    installed. It is JSON: by model, `input_cost_per_token` and `output_cost_per_token`. A model
    stands there as `provider:model`, `provider/model` or `model`.

    Raises:
        InputError: QUIRE_PRICES names no such file.
    """
    if model == EXTRACTIVE:
        return Price(0.0, 0.0)
    path = get_settings().prices or _find_litellm_table()
    if path is None:
        return None
    table = _load_table(path)
    provider, _, name = model.partition(":")
    for key in (model, f"{provider}/{name}", name):
        entry = table.get(key)
        if isinstance(entry, dict) and (price := _read_price(entry)):
            return price
    return None


def _read_price(entry: dict[str, Any]) -> Price | None:
    costs = [entry.get(f"{kind}_cost_per_token") for kind in ("input", "output")]
    if not all(isinstance(cost, int | float) and cost >= 0 for cost in costs):
        return None
    return Price(*map(float, costs))  # type: ignore[arg-type]  # numbers, as was just looked


def _find_litellm_table() -> Path | None:
    """Where litellm keeps its prices; the package itself, which loads for seconds, is not."""
    found = find_spec("litellm")
    path = Path(found.origin).with_name(_LITELLM_FILE) if found and found.origin else None
    return path if path and path.is_file() else None


@lru_cache(maxsize=2)
def _load_table(path: Path) -> dict[str, Any]:
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _make_error(path) from error
    if not isinstance(table, dict):
        raise _make_error(path)
    return table


def _make_error(path: Path) -> InputError:
    return InputError(
        f"QUIRE_PRICES names {path}, which is no table of prices: give it a file of JSON with "
        "input_cost_per_token and output_cost_per_token by model, as litellm has it."
    )
