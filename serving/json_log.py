"""The log as JSON, one line an event, for what collects logs: `QUIRE_LOG=json`."""

import json
import logging
import re
import sys
from datetime import UTC, datetime

from schema.settings import get_settings

_KEYS = re.compile(r"\b(sk|qk|pk|tvly|ghp|xox[abp])[-_][\w-]{8,}|(?<=Bearer )[\w.~+/-]{8,}=*")
"""What looks like a key; nobody logs one on purpose."""


class JsonFormatter(logging.Formatter):
    """A line of JSON: time, level, logger, message, and what `extra` named."""

    def format(self, record: logging.LogRecord) -> str:
        """The line; keys are blotted out."""
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _KEYS.sub("[key]", record.getMessage()),
            **{name: getattr(record, name) for name in ("run", "user") if hasattr(record, name)},
        }
        if record.exc_info:
            told["error"] = _KEYS.sub("[key]", self.formatException(record.exc_info))
        return json.dumps(told, ensure_ascii=False, default=str)


def start_log() -> None:
    """Log to standard error as `QUIRE_LOG` asks; text lines are logging's own."""
    if get_settings().log != "json":
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
