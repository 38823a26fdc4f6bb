"""Embedding models by name. Without one dense retrieval is off: hashed words are no embedding."""

import asyncio
import re
from collections.abc import Awaitable, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeVar, runtime_checkable

from langchain_core.embeddings import Embeddings

from models.errors import translate_errors
from models.event_loop import find_running_loop
from models.local.names import is_local, parse_name
from models.local.packages import require_packages
from schema.errors import InputError, ModelUnavailableError
from schema.settings import get_settings, read_variable

Result = TypeVar("Result")

RETRIES = 3
"""Tries after a call that failed with 429, 5xx or a broken connection."""

SERVER_BATCH = 32
"""Texts of one request to a server of one's own: text-embeddings-inference refuses more."""

_ENGLISH_ONLY = re.compile(
    r"all-minilm|all-mpnet|multi-qa|msmarco|bge-(small|base|large)-en|gte-(small|base|large)$|"
    r"(^|[/:])e5-(small|base|large)|-en(-|$)|arctic-embed-(xs|s|m|l)$|mxbai-embed|minilm-l\d+-v2$",
    re.IGNORECASE,
)
"""Names of models that were trained on English alone; outside it they only guess."""


@runtime_checkable
class PageEmbeddings(Protocol):
    """An embedding model that reads the pieces of one text together."""

    async def aembed_page(self, pieces: list[str]) -> list[list[float]]:
        """One vector per piece, in order, each in the context of the others."""


@runtime_checkable
class PreparedEmbeddings(Protocol):
    """An embedding model that has to be fetched and opened before it can answer."""

    async def aprepare(self) -> None:
        """See to it that the model can answer; not a part of any answer's time."""
        ...


class Embedder:
    """An embedding model and the name its vectors are stored under."""

    def __init__(
        self, name: str, model: Embeddings, seconds: float, languages: Sequence[str] = ()
    ) -> None:
        """Args: languages: two-letter codes that the model knows; by its name where empty."""
        self.name = name
        self._model = model
        self._seconds = seconds
        self._length = 0
        english = _ENGLISH_ONLY.search(name.replace("_", "-")) and "multilingual" not in name
        self._languages = languages or (["en"] if english else [])

    def supports_language(self, language: str) -> bool:
        """Whether the model was trained on a language; one of an unknown name is multilingual."""
        return not self._languages or language in self._languages

    async def prepare(self) -> None:
        """Fetch and open a model of this machine; any other is ready.

        Raises:
            ModelUnavailableError: it cannot be fetched, or not be used.
        """
        if isinstance(self._model, PreparedEmbeddings):
            with translate_errors(self.name):
                await self._model.aprepare()

    async def embed_query(self, text: str) -> list[float]:
        """One vector for a query.

        Raises:
            ModelUnavailableError: the model does not answer in time, or at all.
        """
        await self.prepare()
        return self._check([await self._with_deadline(self._model.aembed_query(text))], 1)[0]

    async def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector per text, in order. Raises as `embed_query` does."""
        await self.prepare()
        found = await self._with_deadline(self._model.aembed_documents(list(texts)))
        return self._check(found, len(texts))

    async def embed_page(self, pieces: Sequence[str]) -> list[list[float]]:
        """One vector per piece of one text, in order. Raises as `embed_query` does.

        A piece is embedded in the context of the others where the model can, else by itself.
        """
        if isinstance(self._model, PageEmbeddings):
            found = await self._with_deadline(self._model.aembed_page(list(pieces)))
            return self._check(found, len(pieces))
        return await self.embed_documents(pieces)

    def _check(self, vectors: list[list[float]], count: int) -> list[list[float]]:
        """Vectors as they came: one per text, all as long as this model's first."""
        if len(vectors) != count:
            raise ModelUnavailableError(
                f"The model {self.name} sent {len(vectors)} vectors for {count} texts: check its "
                "server."
            )
        for vector in vectors:
            self._length = self._length or len(vector)
            if not vector or len(vector) != self._length:
                raise ModelUnavailableError(
                    f"The model {self.name} sent a vector of {len(vector)} numbers after those of "
                    f"{self._length}: check that its server runs one model."
                )
        return vectors

    async def _with_deadline(self, call: Awaitable[Result]) -> Result:
        with translate_errors(self.name):
            async with asyncio.timeout(self._seconds):
                return await call


def get_embedder() -> Embedder | None:
    """The embedding model that the settings name, or None.

    Raises:
        InputError: the name is not `provider:model`, or its package is not installed.
    """
    here = get_settings()
    if not here.embedding_model:
        return None
    name = here.embedding_model
    if name.startswith("jina:"):
        url, key = read_variable("QUIRE_JINA_EMBEDDINGS_BASE_URL"), read_variable("JINA_API_KEY")
    elif here.embedding_base_url:  # whose server is not to see the key of another
        url = here.embedding_base_url
        key = here.embedding_api_key.get_secret_value() if here.embedding_api_key else ""
    else:
        url = here.openai_base_url or ""
        key = here.openai_api_key.get_secret_value() if here.openai_api_key else ""
    languages = tuple(here.embedding_languages.replace(",", " ").split())
    return _make_embedder(name, url, key, here.model_seconds, languages, find_running_loop())


@lru_cache(maxsize=8)
def _make_embedder(
    name: str,
    base_url: str,
    key: str,
    seconds: float,
    languages: tuple[str, ...],
    loop: asyncio.AbstractEventLoop | None,  # noqa: ARG001  (a part of the key)
) -> Embedder:
    provider, _, model = name.partition(":")
    if not provider or not model:
        raise InputError(
            f"QUIRE_EMBEDDING_MODEL is '{name}': write provider:model, such as "
            "openai:text-embedding-3-small."
        )
    if provider == "openai":
        if not key and not base_url:
            raise InputError(
                f"The embedding model {name} needs a key: set OPENAI_API_KEY, or "
                "QUIRE_EMBEDDING_BASE_URL for a server that needs none."
            )
        from langchain_openai import OpenAIEmbeddings  # noqa: PLC0415  (0.4 s)

        # other servers take texts, not the token ids of OpenAI's own tokenizer
        options: dict[str, Any] = {"model": model, "check_embedding_ctx_length": False}
        options |= {"base_url": base_url or None, "api_key": key or "none", "max_retries": RETRIES}
        if base_url:
            options |= {"chunk_size": SERVER_BATCH, "model_kwargs": {"encoding_format": "float"}}
        return Embedder(name, OpenAIEmbeddings(**options), seconds, languages)
    if provider == "jina":
        return Embedder(
            name, _make_jina_embeddings(model, base_url, key, seconds), seconds, languages
        )
    if is_local(name):
        return _make_local_embedder(name, seconds, languages)
    from langchain.embeddings import init_embeddings  # noqa: PLC0415

    try:
        return Embedder(name, init_embeddings(name), seconds, languages)
    except (ImportError, ValueError) as error:
        first = str(error).strip().partition("\n")[0].rstrip(".")
        raise InputError(f"The embedding model '{name}' cannot be used: {first}.") from error


def _make_local_embedder(name: str, seconds: float, languages: tuple[str, ...]) -> Embedder:
    require_packages(name)
    known = parse_name(name).known
    if known and known.kind != "embedder":
        raise InputError(f"The model {name} is a {known.kind}, and gives no vectors.")
    from models.local.embedder import LocalEmbeddings  # noqa: PLC0415  (langchain's base: 0.1 s)

    languages = languages or (known.traits.languages if known else ())
    return Embedder(name, LocalEmbeddings(name), seconds, languages)


def _make_jina_embeddings(model: str, base_url: str, key: str, seconds: float) -> Embeddings:
    if not (key and key.isascii() and key.isprintable()):
        raise InputError(
            f"The embedding model jina:{model} needs a key: set JINA_API_KEY, in plain letters, "
            "digits and signs."
        )
    from models.jina_embeddings import DEFAULT_URL, JinaEmbeddings  # noqa: PLC0415  (httpx: 0.2 s)

    return JinaEmbeddings(model, key, base_url or DEFAULT_URL, seconds=seconds, retries=RETRIES)
