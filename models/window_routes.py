"""Asking a server how many tokens its model reads at once, by the routes that servers have."""

import asyncio
import re
from typing import Any

import httpx

from models.served import Window

SECONDS = 3.0
"""Longest that all of it may take: a report does not wait for a number that it can learn."""

UNLOADED = 4_096
"""Tokens that Ollama and LM Studio load a model with where nothing else is set, at the least."""

_NUM_CTX = re.compile(r"^num_ctx\s+(\d+)", re.MULTILINE)
_LISTED = ("max_model_len", "context_length", "context_window", "max_context_length")
"""What vLLM, OpenRouter, Groq and Mistral call the window in their lists of models."""


async def ask_server(base_url: str, key: str | None, model: str) -> Window | None:
    """The window of a model at an OpenAI-compatible server.

    Args:
        base_url: of the OpenAI-compatible routes, such as http://127.0.0.1:11434/v1.
        key: sent to all of the server's routes, as with chat calls.
        model: its name there.

    Returns:
        None where the server says nothing, or not in time; no error is raised.
    """
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    secured = not base_url.startswith("http:")  # else the certificates, 30 ms to load, are idle
    try:
        async with (
            asyncio.timeout(SECONDS),
            httpx.AsyncClient(headers=headers, verify=secured) as client,
        ):
            server = _Server(client, base_url, model)
            listed = await server.read_list()
            if listed:
                return listed
            found = await asyncio.gather(
                server.read_llama_cpp(), server.read_lm_studio(), server.read_ollama()
            )
            return next((window for window in found if window), None)
    except (TimeoutError, httpx.HTTPError, httpx.InvalidURL, ValueError):
        return None


class _Server:
    """The routes of one server."""

    def __init__(self, client: httpx.AsyncClient, base_url: str, model: str) -> None:
        self._client = client
        self._base = base_url.rstrip("/")
        self._root = self._base.removesuffix("/v1")
        self._model = model

    async def read_list(self) -> Window | None:
        """The OpenAI-compatible list of models, where it tells more than OpenAI's."""
        listed = _find_model(await self._get(f"{self._base}/models"), "data", self._model)
        tokens = next((n for name in _LISTED if (n := _read_count(listed, name))), None)
        return Window(tokens, "server", "/models of the server") if tokens else None

    async def read_llama_cpp(self) -> Window | None:
        """`/props` of llama.cpp: the window of one slot."""
        props = await self._get(f"{self._root}/props")
        settings = props.get("default_generation_settings")
        tokens = _read_count(settings if isinstance(settings, dict) else {}, "n_ctx")
        return Window(tokens, "server", "/props of llama.cpp") if tokens else None

    async def read_lm_studio(self) -> Window | None:
        """LM Studio's own list: the window that a model was loaded with."""
        found = _find_model(await self._get(f"{self._root}/api/v0/models"), "data", self._model)
        source = "/api/v0/models of LM Studio"
        if tokens := _read_count(found, "loaded_context_length"):
            return Window(tokens, "server", source)
        most = _read_count(found, "max_context_length")
        return Window(min(most, UNLOADED), "server", source, passing=True) if most else None

    async def read_ollama(self) -> Window | None:
        """Ollama: the window of a loaded model, else the one in its Modelfile, else the default."""
        running = await self._get(f"{self._root}/api/ps")
        loaded = _find_model(running, "models", self._model)
        if tokens := _read_count(loaded, "context_length"):
            return Window(tokens, "server", "/api/ps of Ollama")
        shown = await self._send("POST", f"{self._root}/api/show", {"model": self._model})
        told = _NUM_CTX.search(str(shown.get("parameters") or ""))
        if told:
            return Window(int(told[1]), "server", "the model's Modelfile, by Ollama")
        given = shown.get("model_info")
        info: dict[str, Any] = given if isinstance(given, dict) else {}
        named = [name for name in info if name.endswith(".context_length")]
        sizes = [count for name in named if (count := _read_count(info, name))]
        if not sizes:
            return None
        return Window(min(*sizes, UNLOADED), "server", "Ollama's default", passing=True)

    async def _get(self, url: str) -> dict[str, Any]:
        return await self._send("GET", url)

    async def _send(self, method: str, url: str, body: Any = None) -> dict[str, Any]:
        """The object that a route answers with; empty where it has none."""
        try:
            answer = await self._client.request(method, url, json=body)
            read = answer.json() if answer.status_code == 200 else None
        except (httpx.HTTPError, ValueError):
            return {}
        return read if isinstance(read, dict) else {}


def _find_model(answer: dict[str, Any], field: str, model: str) -> dict[str, Any]:
    """The entry of a model in a list, under its name or, at Ollama, its name without the tag."""
    listed = answer.get(field)
    entries = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    for name in (model, f"{model}:latest"):
        for one in entries:
            if name in (one.get("id"), one.get("model"), one.get("name")):
                return one
    return {}


def _read_count(found: dict[str, Any], name: str) -> int | None:
    """A positive whole number of an entry."""
    value = found.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
