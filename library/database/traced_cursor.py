"""Statements as spans of the step that makes them, for traces (`QUIRE_TRACES`)."""

import re
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Self

from langsmith import trace
from langsmith.run_helpers import get_current_run_tree
from psycopg import AsyncCursor
from psycopg.abc import Params

_TABLE = re.compile(r"\b(?:FROM|INTO|UPDATE|JOIN)\s+(?:quire\.)?([a-z_]\w*)")


class TracedCursor(AsyncCursor[Any]):
    """A cursor whose statements are spans by verb and table; neither text nor values are told."""

    async def execute(self, query: Any, params: Params | None = None, **options: Any) -> Self:
        """See psycopg."""
        with self._open_span(query):
            return await super().execute(query, params, **options)

    async def executemany(self, query: Any, params_seq: Iterable[Params], **options: Any) -> None:
        """See psycopg."""
        with self._open_span(query):
            await super().executemany(query, params_seq, **options)

    def _open_span(self, query: Any) -> AbstractContextManager[Any]:
        """None between runs, as when the schema is looked at."""
        if get_current_run_tree() is None:
            return nullcontext()
        return trace(self._name(query), run_type="tool")

    def _name(self, query: Any) -> str:
        """Such as "sql select chunks"."""
        text = query if isinstance(query, str) else self._to_text(query)
        verb = text.split(maxsplit=1)[0].strip(";").lower() if text.strip() else "nothing"
        table = _TABLE.search(text)
        return f"sql {verb} {table[1]}" if table else f"sql {verb}"

    def _to_text(self, query: Any) -> str:
        if isinstance(query, bytes):
            return query.decode()
        return str(query.as_string(self))
