"""The page, served on loopback to browsers without scripts."""

from collections.abc import AsyncIterator, Callable, Iterator

import pytest
from fakes.server import Served
from graph_runs import CONCEPTS
from starlette.authentication import AuthCredentials, BaseUser
from starlette.requests import HTTPConnection
from visitors import MEMBER_HEADER, MEMBERS, Visitor

from schema.access import LOCAL_MEMBER
from schema.context import Context
from serving.runs import run_ingest
from web.access import LocalSignIn, SignedIn
from web.app import build_app

Enter = Callable[..., Visitor]


@pytest.fixture
async def samples(space: str) -> str:
    """A space that holds the sample pages."""
    await run_ingest([str(CONCEPTS)], Context(space=space), lambda _: None)
    return space


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """The application; a header says which of `MEMBERS` comes, the local user where there is none.

    How people sign in is another matter: here stands who did.
    """

    async def sign_in(_: LocalSignIn, conn: HTTPConnection) -> tuple[AuthCredentials, BaseUser]:
        name = conn.headers.get(MEMBER_HEADER, "")
        return AuthCredentials(), SignedIn(MEMBERS[name] if name else LOCAL_MEMBER)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LocalSignIn, "authenticate", sign_in)
        with Served(build_app(), lives=True) as server:
            yield server


@pytest.fixture
async def enter(served: Served) -> AsyncIterator[Enter]:
    """Makes visitors of the page."""
    made: list[Visitor] = []

    def come(member: str = "") -> Visitor:
        made.append(Visitor(served.url, member))
        return made[-1]

    yield come
    for one in made:
        await one.client.aclose()
