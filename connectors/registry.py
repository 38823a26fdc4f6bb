"""Connectors by name. Third parties add theirs under the entry point group `quire.connectors`."""

import os
from collections.abc import Sequence
from importlib.util import find_spec

from connectors.plugins import Plugins
from connectors.protocol import Connector, FilteringConnector, IndexedConnector, SyncingConnector
from schema.error_text import is_text
from schema.errors import InputError
from schema.search import Filters
from schema.settings import get_settings, read_variable

BUILT_IN = {
    "arxiv": "connectors.live.arxiv:Arxiv",
    "brave": "connectors.live.brave:Brave",
    "captures": "connectors.indexed.captures:Captures",
    "confluence": "connectors.indexed.atlassian.confluence:Confluence",
    "drive": "connectors.indexed.drive:Drive",
    "files": "connectors.indexed.files:Files",
    "github": "connectors.indexed.github:GitHub",
    "jina": "connectors.live.jina:Jina",
    "jira": "connectors.indexed.atlassian.jira:Jira",
    "library": "connectors.indexed.whole_library:WholeLibrary",
    "linear": "connectors.indexed.linear:Linear",
    "linkup": "connectors.live.linkup:Linkup",
    "mcp": "connectors.live.mcp:Mcp",
    "notion": "connectors.indexed.notion:Notion",
    "pubmed": "connectors.live.pubmed:PubMed",
    "searxng": "connectors.live.searxng:Searxng",
    "slack": "connectors.indexed.slack:Slack",
    "tavily": "connectors.live.tavily:Tavily",
    "web": "connectors.indexed.web:Web",
    "web_results": "connectors.indexed.web_results:WebResults",
    "wikipedia": "connectors.live.wikipedia:Wikipedia",
    "youtube": "connectors.indexed.youtube:YouTube",
    "zotero": "connectors.indexed.zotero:Zotero",
}
"""One line a connector: its name, and where its class is."""

WEB_RESULTS = "web_results"

_plugins = Plugins("connector", BUILT_IN)


def list_connector_names() -> list[str]:
    """Every connector there is, configured or not."""
    return _plugins.list_names()


def make_connector(name: str) -> Connector:
    """Make the connector of this name.

    Raises:
        InputError: there is none; names those that there are.
    """
    made: Connector = _plugins.make(name)
    return made


def explain_missing(one: Connector) -> str:
    """What keeps a connector from being used, as words that say what to do; "" if nothing."""
    unset = [
        need
        for need in one.required_variables
        if not any(read_variable(name) for name in need.split(" or "))
    ]
    lacks = [f"set {' and '.join(unset)}"] if unset else []
    if one.package and find_spec(one.package) is None:
        lacks.append(f"run pip install 'quire[{one.name}]'")
    return " and ".join(lacks)


def make_usable_connector(name: str) -> Connector:
    """Make a connector that has all it needs.

    Raises:
        InputError: there is none of this name, or something is missing.
    """
    made = make_connector(name)
    if lack := explain_missing(made):
        raise InputError(f"The connector '{name}' is not configured: {lack}.")
    return made


def make_syncing_connector(name: str) -> SyncingConnector:
    """Make a connector that fills the library and has all it needs.

    Raises:
        InputError: there is none of this name, it cannot, or something is missing.
    """
    made = make_usable_connector(name)
    if not isinstance(made, SyncingConnector):
        raise InputError(f"The connector '{name}' does not fill the library: nothing to ingest.")
    return made


def parse_source(text: str) -> tuple[SyncingConnector, str]:
    """The connector and the location of a source: `connector:location`, or the path of files.

    It may look at the disk.

    Raises:
        InputError: the connector cannot be used, or the text names no location.
    """
    if not is_text(text):
        raise InputError(f"{text[:200]!r} names no source: it holds what no text holds.")
    name, separator, location = text.partition(":")
    if not separator or name not in list_connector_names():
        name, location = "files", text
    location = location.strip()
    if name == "files" and not location:  # not the working directory, which nobody named
        raise InputError("An empty name is no source: name a file, a folder or connector:location.")
    if name == "files":  # it means the same from every folder
        location = os.path.abspath(os.path.expanduser(location))  # noqa: PTH100, PTH111  (no link is followed)
    return make_syncing_connector(name), location


def build_filters(one: IndexedConnector, paths: Sequence[str]) -> Filters:
    """What of the library a connector searches; it may look at the disk."""
    if isinstance(one, FilteringConnector):
        return one.filters(paths)
    return Filters(connectors=[one.name])


def choose_connectors(
    wanted: list[str] | None, *, paths: bool, fresh: bool = False
) -> list[Connector]:
    """The connectors of a run.

    Args:
        wanted: their names. None takes every live connector whose variables are set, those
            that QUIRE_CONNECTORS names, and, from the library, the files at the run's paths if it
            has any, else everything and what earlier runs found on the web. What needs no key is
            asked only where it is named: nobody's question goes out unasked.
        paths: whether the run has paths.
        fresh: what earlier runs found on the web is not asked.

    Raises:
        InputError: one does not exist or is not configured, or is asked for and ruled out.
    """
    if wanted:
        if fresh and WEB_RESULTS in wanted:
            raise InputError(
                f"{WEB_RESULTS} are what earlier runs found, which a fresh run leaves out: drop "
                "one of the two."
            )
        return [make_usable_connector(name) for name in dict.fromkeys(wanted)]
    earlier = [] if paths or fresh else [make_connector(WEB_RESULTS)]
    local = make_connector("files" if paths else "library")
    named = [name.strip() for name in get_settings().connectors.split(",") if name.strip()]
    live = [one for name in list_connector_names() if (one := make_connector(name)).kind == "live"]
    keyed = [
        one
        for one in live
        if one.required_variables and not explain_missing(one) and one.name not in named
    ]
    taken = [local, *earlier]
    own = {one.name for one in taken}
    return [*taken, *keyed, *(make_usable_connector(name) for name in named if name not in own)]
