"""Who asks, and in whose spaces they may work: what sign-in finds out, and every run is held to."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Self, cast

from schema.errors import InputError

GroupRole = Literal["reader", "writer", "curator"]

ROLES: tuple[GroupRole, ...] = ("reader", "writer", "curator")
"""What a member may do in the spaces of a group: read its reports and search its sources; write
reports, too; change its sources, too. Each may what those before it may."""

LOCAL_USER = "local"
"""Owner of the rows where nobody signs in: command line, notebook, a server without sign-in."""

TEAM_USER = "#team"
"""Whose sessions read and write who may come in; nobody's identity begins like it."""

GROUP_SIGN = "@"
"""Begins the owner of a group's spaces; no identity begins with it."""

EVERYONE = "everyone"
"""Among the readers of a document: all members of its space."""

KEEPER = "*"
"""Name of who keeps a library: sees documents whoever their readers are. No member has it."""

OPERATOR = "operator"
"""Permission of those who keep the installation running."""

_KNOWN_AS = "is:"
"""Begins the permission that says a further name of the member's."""

_AT_MOST = "at-most:"
"""Begins the permission that says what a key is limited to."""

_GROUP_SPACE = re.compile(r"@(?P<group>[\w.-]+)/(?P<space>[\w.~-]+)")


class AccessError(InputError):
    """The member may not do this; says what is lacking."""


@dataclass(frozen=True, kw_only=True)
class Member:
    """Someone who asks. `operator`: keeps the installation running, and reads nobody's reports.

    `identity` is unique and never changes; `groups` are those of the member, with their role.
    `known_as` are further names that documents may have among their readers: an e-mail address that
    the provider has checked, `group:NAME` of the provider's groups, `github:NAME`.
    `at_most` is what they may do now, in spaces of their own, too: a key may be given less than its
    owner may.
    """

    identity: str = LOCAL_USER
    name: str = ""
    groups: Mapping[str, GroupRole] = field(default_factory=dict)
    operator: bool = False
    at_most: GroupRole = "curator"
    known_as: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """By which names documents with readers of their own know the member."""
        groups = [f"{GROUP_SIGN}{group}" for group in sorted(self.groups)]
        return [one for one in [*self.known_as, *groups] if is_reader_name(one)]

    @property
    def permissions(self) -> list[str]:
        """Groups and roles as a LangGraph server carries them from its sign-in to a run."""
        groups = [f"{GROUP_SIGN}{group}:{role}" for group, role in sorted(self.groups.items())]
        limits = [] if self.at_most == "curator" else [f"{_AT_MOST}{self.at_most}"]
        names = [f"{_KNOWN_AS}{name}" for name in self.known_as]
        return [*groups, *([OPERATOR] if self.operator else []), *limits, *names]

    @classmethod
    def from_permissions(cls, identity: str, permissions: Iterable[str]) -> Self:
        """The member of whom a server says these; permissions of others are left out."""
        told = list(permissions)
        pairs = (one.removeprefix(GROUP_SIGN).rsplit(":", 1) for one in told if one[:1] == "@")
        groups = {pair[0]: cast("GroupRole", pair[1]) for pair in pairs if pair[-1] in ROLES}
        least = next((role for role in ROLES if f"{_AT_MOST}{role}" in told), "curator")
        at_most = cast("GroupRole", least)
        names = [one.removeprefix(_KNOWN_AS) for one in told if one.startswith(_KNOWN_AS)]
        return cls(
            identity=identity,
            groups=groups,
            operator=OPERATOR in told,
            at_most=at_most,
            known_as=tuple(names),
        )

    @property
    def owners(self) -> list[str]:
        """Whose rows the member may read: their own, and those of their groups."""
        return [self.identity, *(f"{GROUP_SIGN}{group}" for group in sorted(self.groups))]


LOCAL_MEMBER = Member()


def is_reader_name(name: str) -> bool:
    """Whether a reader of documents can be called that."""
    return name not in ("", KEEPER, EVERYONE) and name.isprintable() and len(name) <= 300


def clean_readers(names: Iterable[str]) -> tuple[str, ...] | None:
    """Each name of a document's readers once, in order; None where they are all of its space."""
    given = set(names)
    return None if EVERYONE in given else tuple(sorted(filter(is_reader_name, given)))


def find_owner(space: str, member: Member, least: GroupRole) -> tuple[str, str]:
    """Whose space a name means, and its name there.

    Args:
        space: `NAME` of the member's own, or `@GROUP/NAME`.
        member: who asks.
        least: the role that is needed in the spaces of a group.

    Raises:
        AccessError: the member is not in the group, has a lesser role there, or came with a key
            that gives less.
    """
    named = _GROUP_SPACE.fullmatch(space)
    if named is None:
        _check_limit(member, least)
        return member.identity, space
    group = named["group"]
    check_role(group, member, least)
    return f"{GROUP_SIGN}{group}", named["space"]


def check_role(group: str, member: Member, least: GroupRole) -> None:
    """Raise `AccessError` where a member may not do in a group's spaces what the role may."""
    role = member.groups.get(group)
    if role is None:  # the same words whether or not there is such a group
        raise AccessError(f"You are not in a group {group}: use one of your own spaces.")
    if ROLES.index(role) < ROLES.index(least):
        raise AccessError(
            f"You are a {role} in the group {group}, and this needs a {least}: ask its curators."
        )
    _check_limit(member, least)


def check_owner(owner: str, member: Member, least: GroupRole) -> None:
    """Raise `AccessError` where a member may not do with an owner's rows what the role may."""
    if owner.startswith(GROUP_SIGN):
        check_role(owner.removeprefix(GROUP_SIGN), member, least)
    elif owner != member.identity:
        raise AccessError("This belongs to somebody else.")
    else:
        _check_limit(member, least)


def _check_limit(member: Member, least: GroupRole) -> None:
    if ROLES.index(member.at_most) < ROLES.index(least):
        raise AccessError(
            f"This key is a {member.at_most}'s, and this needs a {least}'s: make another key."
        )


def name_space(owner: str, space: str) -> str:
    """How a space is named by those who may work in it."""
    return f"{owner}/{space}" if owner.startswith(GROUP_SIGN) else space
