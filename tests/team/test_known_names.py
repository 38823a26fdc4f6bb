"""Names by which documents know an account: the provider's word is replaced, a hand's is not."""

from uuid import uuid4

import pytest

from schema.errors import InputError
from team.accounts import enter_account, find_member, make_account, name_identity
from team.groups import Grant
from team.known_names import list_known_names, set_name
from team.store import TeamStore, open_team


@pytest.fixture
async def team() -> TeamStore:
    return await open_team()


async def test_a_sign_in_replaces_what_the_provider_said_before(team: TeamStore) -> None:
    subject = uuid4().hex
    identity = name_identity("https://id.test", subject)
    told = ("https://id.test", subject, "Ada", "", Grant())
    await enter_account(team, *told, ["ada@x.test", "group:law"])
    await set_name(team, identity, " GitHub:Ada ")
    await set_name(team, identity, "group:law")
    await enter_account(team, *told, ["ada@y.test"])
    assert (await find_member(team, identity)).names == ["ada@y.test", "github:ada", "group:law"]
    await set_name(team, identity, "github:ada", known=False)
    await enter_account(team, *told)
    assert (await find_member(team, identity)).names == ["group:law"]


@pytest.mark.parametrize("name", ["*", "everyone", "", "@law", "a\nb"])
async def test_by_hand_nobody_becomes_a_keeper_or_a_group(team: TeamStore, name: str) -> None:
    identity = f"u{uuid4().hex}"
    await make_account(team, identity)
    with pytest.raises(InputError, match="cannot be called"):
        await set_name(team, identity, name)
    with pytest.raises(InputError, match="no account"):
        await set_name(team, "nobody-at-all", "github:ada")


@pytest.mark.parametrize("email", ["", "ada", "a@b@x.test", "*", "@"])
def test_what_is_no_address_is_no_name(email: str) -> None:
    names = list_known_names(email, [" ", "*", "Law"], email_checked=True)
    assert names == ["group:*", "group:law"]
