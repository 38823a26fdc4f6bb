"""Whose a space is, and who may work in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.access import ROLES, AccessError, GroupRole, Member, check_owner, find_owner, name_space

GROUP_NAMES = st.from_regex(r"[\w.-]{1,20}", fullmatch=True)


@given(
    GROUP_NAMES,
    st.dictionaries(GROUP_NAMES, st.sampled_from(ROLES)),
    st.booleans(),
    st.sampled_from(ROLES),
)
def test_permissions_carry_a_member_to_a_run_and_back(
    identity: str, groups: dict[str, GroupRole], operator: bool, at_most: GroupRole
) -> None:
    member = Member(identity=identity, groups=groups, operator=operator, at_most=at_most)
    assert Member.from_permissions(identity, member.permissions) == member


def test_permissions_of_another_application_grant_nothing() -> None:
    member = Member.from_permissions("ada", ["admin", "@law", "@law:owner", "law:writer", ""])
    assert member == Member(identity="ada")


def test_a_plain_name_is_a_space_of_ones_own() -> None:
    assert find_owner("notes", Member(identity="ada"), "curator") == ("ada", "notes")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("least", ROLES)
def test_a_groups_space_opens_to_its_role_and_higher_ones(
    role: GroupRole, least: GroupRole
) -> None:
    member = Member(identity="ada", groups={"law": role})
    if ROLES.index(role) >= ROLES.index(least):
        assert find_owner("@law/cases", member, least) == ("@law", "cases")
    else:
        with pytest.raises(AccessError, match=f"You are a {role} in the group law"):
            find_owner("@law/cases", member, least)


@pytest.mark.parametrize("at_most", ROLES)
@pytest.mark.parametrize("least", ROLES)
def test_who_comes_with_a_lesser_key_may_do_less_everywhere(
    at_most: GroupRole, least: GroupRole
) -> None:
    member = Member(identity="ada", groups={"law": "curator"}, at_most=at_most)
    for space, owner in (("notes", "ada"), ("@law/cases", "@law")):
        if ROLES.index(at_most) >= ROLES.index(least):
            assert find_owner(space, member, least)[0] == owner
            check_owner(owner, member, least)
        else:
            with pytest.raises(AccessError, match=f"This key is a {at_most}'s"):
                find_owner(space, member, least)
            with pytest.raises(AccessError, match=f"This key is a {at_most}'s"):
                check_owner(owner, member, least)


@pytest.mark.parametrize("operator", [False, True])
def test_nobody_outside_a_group_comes_into_its_spaces(operator: bool) -> None:
    member = Member(identity="ada", groups={"tax": "curator"}, operator=operator)
    with pytest.raises(AccessError, match="You are not in a group law"):
        find_owner("@law/cases", member, "reader")
    with pytest.raises(AccessError):
        check_owner("@law", member, "reader")
    with pytest.raises(AccessError, match="somebody else"):
        check_owner("bob", member, "reader")


@pytest.mark.parametrize("space", ["@law/", "@/cases", "@law/a/b", "@law"])
def test_what_only_looks_like_a_groups_space_is_never_the_groups(space: str) -> None:
    member = Member(identity="ada", groups={"law": "curator"})
    owner, _ = find_owner(space, member, "reader")
    assert owner == "ada"


def test_a_space_is_named_as_it_is_asked_for() -> None:
    member = Member(identity="ada", groups={"law": "writer"})
    for space in ("notes", "@law/cases"):
        assert name_space(*find_owner(space, member, "writer")) == space
