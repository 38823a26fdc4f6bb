"""Who may read a repository of GitHub."""

from connectors.http.client import Api
from connectors.http.errors import HIDDEN, find_or_none
from connectors.indexed.github.repository import KEY, Repository
from connectors.json_fields import get_records, get_string, parse_json
from schema.access import EVERYONE
from schema.errors import ConnectorError

PAGE_SIZE = 100


async def list_readers(api: Api, repo: Repository) -> tuple[str, ...]:
    """Names of the readers of a repository: everyone of a public one, else its collaborators.

    Raises:
        ConnectorError: GitHub did not answer, or does not show this token the collaborators.
    """
    if repo.is_public:
        return (EVERYONE,)
    names, page = list[str](), 1
    while True:
        asked = {"per_page": PAGE_SIZE, "page": page}
        answer = await find_or_none(
            api.request("GET", f"{repo.api}/collaborators", params=asked), HIDDEN
        )
        if answer is None:
            message = (
                f"GitHub shows the collaborators of {repo.name} to those alone who may write "
                f"there: give {KEY} that right, or add the source without its readers"
            )
            raise ConnectorError(message, code="connector_refused")
        found = get_records(parse_json(answer.content))
        names += [f"github:{get_string(one, 'login').lower()}" for one in found]
        if len(found) < PAGE_SIZE:
            return tuple(names)
        page += 1
