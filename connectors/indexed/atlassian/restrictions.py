"""Who may read the pages of a Confluence space that not all of its users may.

Version 2 of the API knows no restrictions; version 1 lists them with what it searches.
"""

import json
from typing import Any

from connectors.http.errors import bad_response_error
from connectors.indexed.atlassian.client import AtlassianApi
from connectors.json_fields import get_fields, get_records, get_string
from schema.access import EVERYONE

PAGE_SIZE = 100
"""Pages of one answer with what is asked for of each."""

_EXPANDED = (
    "ancestors,restrictions.read.restrictions.user,restrictions.read.restrictions.group,"
    "ancestors.restrictions.read.restrictions.user,ancestors.restrictions.read.restrictions.group"
)


async def list_readers(confluence: AtlassianApi, space: str) -> dict[str, tuple[str, ...]]:
    """Names of the readers of each page of a space, by its id.

    A page below a restricted one is read by whom both name: by those names that both have.
    """
    found = dict[str, tuple[str, ...]]()
    start = 0
    while True:
        answer = await confluence.get(
            "/wiki/rest/api/content/search",
            cql=f"space = {json.dumps(space)} and type = page",
            expand=_EXPANDED,
            limit=PAGE_SIZE,
            start=start,
        )
        pages = confluence.get_records(answer, "results")
        for page in pages:
            if not get_string(page, "id"):
                raise bad_response_error("Confluence")
            sets = [_list_names(one) for one in [page, *get_records(page.get("ancestors"))]]
            held = [one for one in sets if one is not None]
            found[page["id"]] = tuple(sorted(set.intersection(*held))) if held else (EVERYONE,)
        if not get_string(answer, "_links", "next") or not pages:
            return found
        start += len(pages)


def _list_names(content: dict[str, Any]) -> set[str] | None:
    """Whom the read restrictions of a page name; None where it has none.

    Accounts that do not show their address are known by their id.
    """
    read = get_fields(get_fields(content.get("restrictions")).get("read"))
    held = get_fields(read.get("restrictions"))
    users, groups = (
        get_records(get_fields(held.get(kind)).get("results")) for kind in ("user", "group")
    )
    named = {
        get_string(one, "email").lower() or f"atlassian:{get_string(one, 'accountId')}"
        for one in users
    }
    named |= {f"group:{name}" for one in groups if (name := get_string(one, "name"))}
    return named or None
