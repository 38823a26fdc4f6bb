"""Asking a site of Atlassian's cloud: what the connectors of Jira and Confluence share."""

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

import httpx

from connectors.http.client import Api, base_url, web_host
from connectors.http.errors import bad_key_error, bad_response_error
from connectors.protocol import Limits
from schema.errors import ConnectorError, InputError, QuireError
from schema.settings import read_variable

EMAIL, TOKEN = "ATLASSIAN_EMAIL", "ATLASSIAN_API_TOKEN"

MAX_NAMED = 50
"""Projects or spaces that a message names at most."""

_LOGIN_FAILURES = {"AUTHENTICATED_FAILED", "AUTHENTICATION_DENIED", "AUTHORISATION_FAILED"}


class AtlassianApi(Api):
    """A site's API, while the context is open.

    Args:
        provider: Jira or Confluence, whose variable holds the address of the site.
        limits: of the connector.

    Raises:
        InputError: the variable is not set, or holds no address.
    """

    def __init__(self, provider: str, limits: Limits) -> None:
        self.url = base_url(provider, "").removesuffix("/wiki")
        """Of the site, without a path."""
        if not web_host(self.url):
            raise InputError(
                f"Set QUIRE_{provider.upper()}_BASE_URL to the address of your site, such as "
                "https://acme.atlassian.net."
            )
        pair = b64encode(f"{read_variable(EMAIL)}:{read_variable(TOKEN)}".encode()).decode()
        headers = {"Authorization": f"Basic {pair}", "Accept": "application/json"}
        super().__init__(
            provider,
            self.url,
            key=TOKEN,
            headers=headers,
            limits=limits,
            interpret=self._find_refusal,
        )

    def _find_refusal(self, answer: httpx.Response) -> ConnectorError | None:
        """A site passes over a token that it does not know.

        It answers with status 200 and what everybody may see, and says so in a header only. Taken
        for the whole, that would remove all the rest from the library.
        """
        refused = answer.headers.get("x-seraph-loginreason") in _LOGIN_FAILURES
        return bad_key_error(self.provider, TOKEN) if refused else None

    def get_records(self, answer: dict[str, Any], name: str) -> list[dict[str, Any]]:
        """The records of a page of a listing, none of which may be missing."""
        found = answer.get(name)
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise bad_response_error(self.provider)
        return found


def unknown_name_error(
    provider: str, kind: str, location: str, there_are: Sequence[str]
) -> QuireError:
    """What to say of a project or space that the account does not see, beside those it does."""
    if not there_are:
        message = f"{provider} shows this account no {kind}: check {EMAIL} and {TOKEN}"
        return ConnectorError(message, code="connector_refused")
    some = ", ".join(sorted(there_are)[:MAX_NAMED])
    others = " or another" if len(there_are) >= MAX_NAMED else ""
    return InputError(f"{provider} has no {kind} '{location}': use one of {some}{others}.")
