"""Chat models by name: `provider:model`, or `extractive` for none at all."""

import asyncio
import re
from functools import lru_cache
from typing import Any

from langchain_core.language_models import BaseChatModel

from models.event_loop import find_running_loop
from models.extractive.chat_model import EXTRACTIVE, ExtractiveChatModel
from schema.errors import InputError
from schema.settings import get_settings

RETRIES = 3
"""Tries after a call that failed with 429, 5xx or a broken connection; the client backs off."""


def choose_model(chosen: str | None) -> str:
    """The model to use: the run's choice, else the installation's."""
    return chosen or get_settings().default_model


def get_chat_model(name: str) -> BaseChatModel:
    """Make (or take again) the chat model of this name.

    Args:
        name: `provider:model` as `langchain.chat_models.init_chat_model` takes it, or
            `extractive`. `openai:` speaks to OPENAI_BASE_URL, any compatible server, if set.

    Raises:
        InputError: the name cannot be used; says why.
    """
    if name == EXTRACTIVE:
        return ExtractiveChatModel()
    here = get_settings()
    key = here.openai_api_key.get_secret_value() if here.openai_api_key else None
    return _make_chat_model(
        name, here.openai_base_url, key, here.model_seconds, find_running_loop()
    )


def load_client(name: str) -> None:
    """Load the client of a model's provider, where it is known: it takes about a second."""
    if name.startswith("openai:"):
        import langchain_openai  # noqa: F401, PLC0415


@lru_cache(maxsize=16)
def _make_chat_model(
    name: str,
    base_url: str | None,
    key: str | None,
    seconds: float,
    loop: asyncio.AbstractEventLoop | None,  # noqa: ARG001  (a part of the key)
) -> BaseChatModel:
    provider, _, model = name.partition(":")
    if not provider or not model:
        raise InputError(
            f"The model '{name}' cannot be used: write provider:model, such as "
            f"openai:gpt-4.1-mini, or `{EXTRACTIVE}`."
        )
    options: dict[str, Any] = {"timeout": seconds, "max_retries": RETRIES}
    if provider == "openai":
        if not key and not base_url:
            raise InputError(
                f"The model {name} needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL for a "
                "server that needs none."
            )
        from openai import Timeout  # noqa: PLC0415  (0.4 s)

        # without stream_usage token counts vanish where a base URL is set
        options |= {"base_url": base_url, "api_key": key or "none", "stream_usage": True}
        # given a plain number, langchain-openai shares one HTTP client between all event loops
        options["timeout"] = Timeout(seconds)
    from langchain.chat_models import init_chat_model  # noqa: PLC0415  (0.5 s with a provider)

    try:
        made: BaseChatModel = init_chat_model(model, model_provider=provider, **options)
    except ImportError as error:
        named = re.search(r"langchain-[a-z-]+[a-z]", str(error))
        package = named[0] if named else f"langchain-{provider.replace('_', '-')}"
        raise InputError(f"The model {name} needs the package {package}: install it.") from error
    except Exception as error:
        first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(f"The model '{name}' cannot be used: {first.rstrip('.')}.") from error
    return made
