"""Who asks: every route takes its member from here, and from nowhere else."""

from starlette.authentication import (
    AuthCredentials,
    AuthenticationBackend,
    BaseUser,
    UnauthenticatedUser,
)
from starlette.requests import HTTPConnection

from schema.access import LOCAL_MEMBER, AccessError, Member


class SignedIn(BaseUser):
    """A member as Starlette's authentication carries one; `by_key` of a program, not a browser."""

    def __init__(self, member: Member, *, by_key: bool = False) -> None:
        self.member = member
        self.by_key = by_key

    @property
    def is_authenticated(self) -> bool:
        """True: who is not signed in is an `UnauthenticatedUser`."""
        return True

    @property
    def display_name(self) -> str:
        """How the page names the member."""
        return self.member.name or self.member.identity

    @property
    def identity(self) -> str:
        """What never changes."""
        return self.member.identity

    @property
    def permissions(self) -> list[str]:
        """Groups and roles, as captures ask for them on a LangGraph server, too."""
        return self.member.permissions


class SignInNeededError(AccessError):
    """Nobody is signed in."""


class LocalSignIn(AuthenticationBackend):
    """On one machine nobody signs in: whoever reaches the server is its local user."""

    async def authenticate(
        self,
        conn: HTTPConnection,  # noqa: ARG002  (the name is Starlette's)
    ) -> tuple[AuthCredentials, BaseUser]:
        """The local user, whatever the request says."""
        return AuthCredentials(["authenticated"]), SignedIn(LOCAL_MEMBER)


def get_member(connection: HTTPConnection) -> Member:
    """Who asks.

    Raises:
        SignInNeededError: nobody is signed in.
    """
    user = connection.user
    if isinstance(user, UnauthenticatedUser):
        if "authorization" in connection.headers:
            raise SignInNeededError("This key is unknown, revoked or too old: take another.")
        raise SignInNeededError("Sign in first.")
    assert isinstance(user, SignedIn)  # noqa: S101  (every backend of ours makes these)
    return user.member
