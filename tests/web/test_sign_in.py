"""People come in by their provider, by nothing that only looks like it, and go out again."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx
import pytest
from fakes.oidc_provider import OidcProvider, Person
from sign_ins import open_browser, sign_in, team_server
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from team.accounts import block_account, name_identity
from team.store import open_team
from web.access import get_member
from web.app import build_app

SERVER = tuple[str, OidcProvider]


async def tell(request: Request) -> Response:
    member = get_member(request)
    return JSONResponse({"identity": member.identity, "permissions": member.permissions})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[SERVER]:
    with team_server(monkeypatch, Route("/who", tell)) as started:
        yield started


def someone(**given: Any) -> Person:
    return Person(uuid4().hex, **given)


async def who(browser: httpx.AsyncClient, **headers: str) -> dict[str, Any]:
    told: dict[str, Any] = (
        await browser.get("/who", headers={"accept": "application/json", **headers})
    ).json()
    return told


def find_token(page: str) -> str:
    found = re.search('name="csrf-token" content="([0-9a-f]{64})"', page)
    assert found
    return found[1]


@pytest.mark.parametrize("checked", [True, False, "true", None])
async def test_an_address_counts_where_the_provider_has_checked_it(
    server: SERVER, checked: object
) -> None:
    url, provider = server
    provider.lies = {"email_verified": checked}
    async with open_browser(url) as browser:
        await sign_in(browser, provider, someone(email="Ada@Id.Example", groups=[]))
        told = (await who(browser))["permissions"]
    named = ["is:ada@id.example", "is:domain:id.example"]
    assert told == (named if checked is True else [])


async def test_a_person_comes_in_with_the_roles_of_their_groups(server: SERVER) -> None:
    url, provider = server
    ada = someone(groups=["lawyers", "admins", "chess club"])
    async with open_browser(url) as browser:
        page = await sign_in(browser, provider, ada)
        assert "You are Ada Lovelace" in page
        assert "law: writer" in page
        identity = name_identity(provider.url, ada.subject)
        assert await who(browser) == {
            "identity": identity,
            "permissions": [
                *("@law:writer", "operator"),
                *("is:group:admins", "is:group:chess club", "is:group:lawyers"),
            ],
        }
        [asked] = provider.asked
        assert asked["code_challenge_method"] == "S256"
        assert asked["response_type"] == "code"
        assert len(asked["state"]) >= 43 <= len(asked["nonce"])
        provider.person = ada.__class__(ada.subject, groups=[])
        await browser.get("/sign-in")
        assert (await who(browser))["permissions"] == []


async def test_groups_may_stand_in_the_userinfo(server: SERVER) -> None:
    url, provider = server
    provider.groups_by_userinfo = True
    async with open_browser(url) as browser:
        await sign_in(browser, provider, someone(groups=["lawyers-in-chief"]))
        assert (await who(browser))["permissions"][0] == "@law:curator"
    provider.userinfo_subject = "somebody-else"
    async with open_browser(url) as browser:
        assert "could not be trusted" in await sign_in(browser, provider, someone())
        assert (await who(browser))["fault"] == "Sign in first."


@pytest.mark.parametrize(
    "lies",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another-application"},
        {"aud": ["quire-test", "another-application"]},
        {"aud": ["quire-test", "another-application"], "azp": "another-application"},
        {"azp": "another-application"},
        {"iss": "https://evil.example"},
        {"iss": None},
        {"exp": 1_700_000_000},
        {"exp": None},
        {"iat": 4_000_000_000},
        {"sub": None},
        {"sub": ""},
    ],
    ids=str,
)
async def test_claims_that_are_not_for_this_sign_in_let_nobody_in(
    server: SERVER, lies: dict[str, Any]
) -> None:
    url, provider = server
    provider.lies = lies
    async with open_browser(url) as browser:
        page = await sign_in(browser, provider, someone())
        assert "The sign-in could not be trusted, and was refused" in page
        assert (await who(browser))["fault"] == "Sign in first."


@pytest.mark.parametrize(
    "forged", ["none", "another key", "shared key", "client secret", "garbage"]
)
async def test_a_forged_token_lets_nobody_in(server: SERVER, forged: str) -> None:
    url, provider = server
    provider.forged = forged
    async with open_browser(url) as browser:
        assert "could not be trusted" in await sign_in(browser, provider, someone())
        assert (await who(browser))["fault"] == "Sign in first."


async def test_new_keys_of_the_provider_are_found(server: SERVER) -> None:
    url, provider = server
    for forged in ("", "elliptic"):
        provider.rotate()
        provider.forged = forged
        async with open_browser(url) as browser:
            assert "You are Ada" in await sign_in(browser, provider, someone())


async def test_an_answer_to_another_browser_s_sign_in_is_refused(server: SERVER) -> None:
    url, _provider = server
    async with open_browser(url) as eve, open_browser(url) as ada:
        await eve.get("/sign-in", follow_redirects=False)
        begun = await ada.get("/sign-in", follow_redirects=False)
        at_provider = await ada.get(begun.headers["location"], follow_redirects=False)
        stolen = at_provider.headers["location"]
        for given in (
            stolen,
            stolen.replace("state=", "state=x"),
            re.sub("state=[^&]*", "", stolen),
        ):
            answer = await eve.get(given)
            assert answer.status_code == 403
            assert "begun elsewhere or is too old" in answer.text
        assert "Ada" in (await ada.get(stolen)).text or (await who(ada))["identity"]
        again = await ada.get(stolen)  # the browser has forgotten it, and the code is used up
        assert "begun elsewhere or is too old" in again.text


async def test_who_gives_up_is_told_so_in_our_words(server: SERVER) -> None:
    url, provider = server
    async with open_browser(url) as browser:
        provider.person = None
        page = (await browser.get("/account")).text
        assert "The provider let nobody in" in page
        assert "script" not in page.partition("<main")[2]


@pytest.mark.parametrize(
    "to",
    [
        "https://evil.example/",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "\\\\evil.example",
        "javascript:alert(1)",
        "/%0d%0aset-cookie:x=y\r\nset-cookie: a=b",
        "evil.example",
        "/ü",
        "",
    ],
)
async def test_nobody_is_sent_on_to_another_site(server: SERVER, to: str) -> None:
    url, provider = server
    provider.person = someone()
    async with open_browser(url) as browser:
        begun = await browser.get("/sign-in", params={"to": to}, follow_redirects=False)
        back = await browser.get(begun.headers["location"], follow_redirects=False)
        end = await browser.get(back.headers["location"], follow_redirects=False)
        assert (end.status_code, end.headers["location"]) == (303, "/")


async def test_who_signs_in_arrives_where_they_wanted_to(server: SERVER) -> None:
    url, provider = server
    provider.person = someone()
    async with open_browser(url) as browser:
        answer = await browser.get("/who?a=b%26c&d=/e")
        assert answer.json()["identity"]
        assert str(answer.url) == f"{url}/who?a=b%26c&d=/e"


async def test_a_sign_in_gives_the_browser_a_new_cookie(server: SERVER) -> None:
    url, provider = server
    async with open_browser(url) as browser:
        browser.cookies.set("quire_session", "chosen-by-somebody-else", domain="127.0.0.1")
        await sign_in(browser, provider, someone())
        first = browser.cookies["quire_session"]
        assert first != "chosen-by-somebody-else"
        await browser.get("/sign-in")
        assert browser.cookies["quire_session"] != first
        async with open_browser(url) as other:
            for old in (first, "chosen-by-somebody-else"):
                other.cookies.set("quire_session", old, domain="127.0.0.1")
                assert (await who(other))["fault"] == "Sign in first."


async def test_the_cookie_is_bound_to_https_where_the_server_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with team_server(monkeypatch, PUBLIC_URL="https://quire.example") as (url, _):
        async with open_browser(url) as browser:
            begun = await browser.get("/sign-in", follow_redirects=False)
            [cookie] = begun.headers.get_list("set-cookie")
            assert cookie.startswith("__Host-quire_signing_in=")
            assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
            asked = parse_qs(urlsplit(begun.headers["location"]).query)
            assert asked["redirect_uri"] == ["https://quire.example/sign-in/back"]


async def test_signing_out_ends_the_session_and_everywhere_ends_all(server: SERVER) -> None:
    url, provider = server
    ada = someone()
    async with open_browser(url) as one, open_browser(url) as two, open_browser(url) as three:
        for browser in (one, two, three):
            page = await sign_in(browser, provider, ada)
        kept = one.cookies["quire_session"]
        for path in ("/sign-out", "/sign-out/everywhere"):
            assert (await one.post(path)).status_code == 403
            assert (await one.get(path)).status_code == 405
        await one.post(
            "/sign-out", data={"csrf_token": find_token((await one.get("/account")).text)}
        )
        one.cookies.set("quire_session", kept, domain="127.0.0.1")
        assert (await who(one))["fault"] == "Sign in first."
        assert "identity" in await who(two)
        answer = await three.post("/sign-out/everywhere", data={"csrf_token": find_token(page)})
        assert "You are signed out" in answer.text
        assert "fault" in await who(two)


async def test_who_is_blocked_is_out_at_once_and_stays_out(server: SERVER) -> None:
    url, provider = server
    ada = someone()
    async with open_browser(url) as browser:
        await sign_in(browser, provider, ada)
        await block_account(await open_team(), name_identity(provider.url, ada.subject))
        assert (await who(browser))["fault"] == "Sign in first."
        assert "This account is blocked" in await sign_in(browser, provider, ada)


async def test_a_key_is_made_shown_once_used_and_revoked(server: SERVER) -> None:
    url, provider = server
    async with open_browser(url) as browser, open_browser(url) as program:
        page = await sign_in(browser, provider, someone(groups=["lawyers", "admins"]))
        token = find_token(page)
        asked = {"csrf_token": token, "name": "<b>nightly</b>", "scope": "read", "days": "30"}
        page = (await browser.post("/account/keys", data=asked)).text
        [key] = re.findall(r"qk_[\w-]{43}", page)
        assert "&lt;b&gt;nightly&lt;/b&gt;" in page
        assert key not in (await browser.get("/account")).text
        told = await who(program, authorization=f"Bearer {key}")
        assert told["identity"] == (await who(browser))["identity"]
        assert told["permissions"][:2] == ["@law:writer", "at-most:reader"]
        program.headers["authorization"] = f"Bearer {key}"
        assert (await program.get("/account")).status_code == 403
        made = await program.post("/account/keys", data={"scope": "sources"})
        assert made.status_code == 403
        assert (await program.get("/audit")).status_code == 403
        [path] = re.findall(r"/account/keys/[\w-]+/revoke", page)
        async with open_browser(url) as other:
            page = await sign_in(other, provider, someone())
            mine = await other.post(path, data={"csrf_token": find_token(page)})
            nobody_s = await other.post(
                "/account/keys/no-such/revoke", data={"csrf_token": find_token(page)}
            )
            assert mine.status_code == nobody_s.status_code == 404
            assert mine.text.replace(path.split("/")[3], "no-such") == nobody_s.text
        await browser.post(path, data={"csrf_token": token})
        assert "revoked" in (await browser.get("/account")).text
        assert (await who(program))["fault"].startswith("This key is unknown, revoked or too old")


@pytest.mark.parametrize("said", ["Bearer qk_made-up", "Bearer x", "Basic YTpi", "", "qk_x"])
async def test_a_key_that_opens_nothing_is_not_helped_by_a_cookie(
    server: SERVER, said: str
) -> None:
    url, provider = server
    async with open_browser(url) as browser:
        await sign_in(browser, provider, someone())
        told = await who(browser, authorization=said)
        assert told["fault"].startswith("This key is unknown")


async def test_operators_read_who_did_what_and_others_find_nothing(server: SERVER) -> None:
    url, provider = server
    ada = someone()
    async with open_browser(url) as browser:
        await sign_in(browser, provider, ada)
        assert (await browser.get("/audit")).status_code == 404
    async with open_browser(url) as browser:
        await sign_in(browser, provider, someone(groups=["admins"]))
        page = (await browser.get("/audit")).text
        assert "account.signed_in" in page
        assert name_identity(provider.url, ada.subject) in page


async def test_a_provider_that_is_another_or_away_is_told(server: SERVER) -> None:
    url, provider = server
    provider.issuer_said = "https://evil.example"
    async with open_browser(url) as browser:
        answer = await browser.get("/sign-in")
        assert answer.status_code == 503
        assert "another than QUIRE_OIDC_ISSUER" in answer.text


async def test_no_provider_is_asked_without_https(monkeypatch: pytest.MonkeyPatch) -> None:
    with team_server(monkeypatch, OIDC_ISSUER="http://id.invalid") as (url, _):
        async with open_browser(url) as browser:
            assert "must be asked by https" in (await browser.get("/sign-in")).text


async def test_without_a_provider_only_programs_come_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_REQUIRE_SIGN_IN", "true")
    transport = httpx.ASGITransport(build_app())
    async with httpx.AsyncClient(transport=transport, base_url="http://quire.example") as client:
        answer = await client.get(
            "/account", headers={"accept": "text/html"}, follow_redirects=True
        )
        assert answer.status_code == 404
        assert "for programs that have a key" in answer.text
        answer = await client.get("/account")
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
