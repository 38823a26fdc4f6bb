"""The settings of an installation, from its environment. Secrets live here and nowhere else."""

import logging
import os
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import Literal

import platformdirs
from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from schema.error_text import describe_expected
from schema.errors import InputError

_log = logging.getLogger("quire")

_PREFIXES = ("QUIRE_", "OPENAI_")


class Settings(BaseSettings):
    """Environment variables, and a `.env` file in the working directory."""

    model_config = SettingsConfigDict(
        env_file=".env", env_prefix="QUIRE_", extra="ignore", env_ignore_empty=True
    )

    data_dir: Path = Path(platformdirs.user_data_dir("quire", appauthor=False))
    database_url: SecretStr | None = None
    database_idle_seconds: float = Field(300, ge=0, le=86_400)

    model: str | None = None
    model_window: int | None = Field(None, ge=1_024, le=100_000_000)
    prices: Path | None = None
    embedding_model: str | None = None
    embedding_languages: str = ""
    embedding_base_url: str | None = None
    embedding_api_key: SecretStr | None = None
    reader_model: str = ""
    rerank_model: str = "words"
    rerank_cache: Path | None = None
    rerank_url: str | None = None
    rerank_api_key: SecretStr | None = None
    model_concurrency: int = Field(8, ge=1, le=256)
    model_seconds: float = Field(120, gt=0)
    shared_turns: bool = False
    metrics_token: SecretStr | None = None
    traces: bool = False
    trace_text: bool = False
    log: Literal["text", "json"] = "text"
    team_secret: SecretStr | None = None
    runs_at_once: int = Field(4, ge=1, le=1_000)

    openai_api_key: SecretStr | None = Field(None, validation_alias="OPENAI_API_KEY")
    openai_base_url: str | None = Field(None, validation_alias="OPENAI_BASE_URL")

    connectors: str = ""
    contact: str = ""
    open_access_email: str = Field("", pattern=r"^([^@\s]+@[^@\s]+)?$")
    connector_seconds: float = Field(15, gt=0)
    web_days: int = Field(30, ge=0, le=36_500)
    files_roots: str = ""
    served_sources: str = ""

    webhook_urls: str = ""
    webhook_hosts: str = ""
    webhook_secret: SecretStr | None = None
    webhook_text: bool = False
    share_restricted: bool = False

    public_url: str = Field("", pattern=r"^(https?://[^/\s]+)?$")
    require_sign_in: bool = False
    oidc_issuer: str = Field("", pattern=r"^(https?://\S+)?$")
    oidc_client_id: str = ""
    oidc_client_secret: SecretStr | None = None
    oidc_scopes: str = "openid profile email"
    oidc_groups_claim: str = "groups"
    groups: str = ""
    operators: str = ""
    session_hours: float = Field(12, gt=0, le=8_760)

    page_fetcher: Literal["own", "jina"] = "own"
    allowed_hosts: str = ""
    x_bearer_token: SecretStr | None = None
    x_base_url: str = "https://api.x.com"

    @property
    def needs_sign_in(self) -> bool:
        """Whether nobody comes in without a key or a sign-in; else all are the local user."""
        return self.require_sign_in or bool(self.oidc_issuer)

    @property
    def default_model(self) -> str:
        """The chat model of a run that names none.

        A key or a base URL of an OpenAI-compatible server chooses a small model of that
        provider; with neither, the extractive model works from the sources alone.
        """
        if self.model:
            return self.model
        if self.openai_api_key or self.openai_base_url:
            return "openai:gpt-4.1-mini"
        return "extractive"


def get_settings() -> Settings:
    """The settings as the environment has them now: tests and notebooks change it between runs.

    Raises:
        InputError: a variable has a value that cannot be used.
    """
    ours = tuple(sorted((k, v) for k, v in os.environ.items() if k.upper().startswith(_PREFIXES)))
    return _load_settings(ours, _get_file_stamp(".env"))


def read_variable(name: str) -> str:
    """A variable of the environment or of `.env`; "" where it is not set.

    For connectors, which name what they need themselves. It may be a secret: it is read when it is
    used and kept nowhere.
    """
    return (os.environ.get(name) or _read_dotenv(_get_file_stamp(".env")).get(name) or "").strip()


@lru_cache(maxsize=2)
def _read_dotenv(file: tuple[int, int]) -> dict[str, str | None]:  # noqa: ARG001  (when to read anew)
    """What `.env` sets. Lines that set nothing are reported and skipped.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        text = Path(".env").read_text(encoding="utf-8")
    except (FileNotFoundError, IsADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"The file .env cannot be read: {reason}.") from None
    for one in parse_stream(StringIO(text)):
        if one.error:  # empty lines before it are counted to it
            value = one.original.string
            line = one.original.line + value[: len(value) - len(value.lstrip())].count("\n")
            _log.warning(".env, line %d sets nothing: write NAME=value", line)
    return dotenv_values(stream=StringIO(text))


@lru_cache(maxsize=8)
def _load_settings(environment: tuple[tuple[str, str], ...], file: tuple[int, int]) -> Settings:  # noqa: ARG001
    """Read anew only when something changed: a run asks a hundred times, at 0.7 ms each."""
    _read_dotenv(file)  # which says what is wrong with it
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(str(part) for part in first["loc"]).upper()
        name = name if name.startswith("OPENAI") else f"QUIRE_{name}"
        raise InputError(
            f"The setting {name} cannot be used: {describe_expected(first)}."
        ) from None


def _get_file_stamp(path: str) -> tuple[int, int]:
    try:
        status = Path(path).stat()
    except OSError:
        return 0, 0
    return status.st_ino, status.st_mtime_ns
