"""The provider that signs people in, over OpenID Connect: authorization code with PKCE.

What the provider says is believed only where its signature, its audience, its time and the nonce of
this very sign-in are right.
"""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from schema.access import AccessError
from schema.errors import QuireError
from schema.settings import get_settings
from web.this_machine import LOOPBACK_NAMES

_log = logging.getLogger("quire")

SECONDS = 10.0
"""A question to the provider may take so many."""

METADATA_SECONDS = 3_600.0
"""For so long the provider's addresses and keys are not asked for again; new keys are found."""

LEEWAY_SECONDS = 60
"""By so many the provider's clock may differ."""

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512",
              "Ed25519", "EdDSA"]  # fmt: skip
"""Signatures that are believed: by keys that only the provider has. `none` is no signature."""


class SignInError(AccessError):
    """Someone was not signed in; says so in a sentence, and the log says why."""


@dataclass(frozen=True)
class Claims:
    """What the provider says of who signed in. `groups` are as the provider calls them."""

    subject: str
    name: str
    email: str
    email_checked: bool
    groups: tuple[str, ...]


@dataclass(frozen=True)
class Attempt:
    """A sign-in that has begun, as the browser keeps it; all are random texts."""

    state: str
    nonce: str
    verifier: str


@dataclass
class _Known:
    metadata: Mapping[str, Any]
    keys: KeySet
    until: float = field(default_factory=lambda: time.monotonic() + METADATA_SECONDS)


class Provider:
    """The provider that the settings name; asked when it is needed."""

    def __init__(self) -> None:
        self._known: _Known | None = None

    async def begin(self, attempt: Attempt, back: str) -> str:
        """Where the browser goes to sign in.

        Args:
            attempt: this sign-in.
            back: address that the provider sends the browser back to.

        Raises:
            QuireError: the provider does not answer, or is none.
        """
        metadata = (await self._learn()).metadata
        async with _make_client(metadata, back) as client:
            url, _ = client.create_authorization_url(
                metadata["authorization_endpoint"],
                state=attempt.state,
                code_verifier=attempt.verifier,
                nonce=attempt.nonce,
            )
        return str(url)

    async def finish(self, attempt: Attempt, code: str, back: str) -> Claims:
        """Who has signed in, for the code that the browser came back with.

        Raises:
            SignInError: what the provider says is not to be believed.
            QuireError: the provider does not answer.
        """
        metadata = (await self._learn()).metadata
        async with _make_client(metadata, back) as client:
            try:
                token = await client.fetch_token(
                    metadata["token_endpoint"], code=code, code_verifier=attempt.verifier
                )
            except OAuthError as error:
                raise _refuse(f"no token for the code: {error}") from None
            except (httpx.HTTPError, ValueError) as error:
                raise _make_silent_error(error) from error
        claims = await self._check_identity(str(token.get("id_token", "")), attempt.nonce)
        group_claim = get_settings().oidc_groups_claim
        if group_claim not in claims and "userinfo_endpoint" in metadata:
            told = await _ask(metadata["userinfo_endpoint"], str(token.get("access_token", "")))
            if told.get("sub") != claims["sub"]:
                raise _refuse("the userinfo is somebody else's")
            claims = {**told, **claims}
        return _read_claims(claims, claims.get(group_claim))

    async def _check_identity(self, token: str, nonce: str) -> dict[str, Any]:
        """The claims of an ID token, once all of it is right."""
        known = await self._learn()
        try:
            claims = _decode(token, known.keys)
        except (JoseError, ValueError):  # it may be signed with a key that is new
            self._known = None
            known = await self._learn()
            try:
                claims = _decode(token, known.keys)
            except (JoseError, ValueError) as error:
                raise _refuse(f"the signature: {error}") from None
        client_id = get_settings().oidc_client_id
        rules = jwt.JWTClaimsRegistry(
            leeway=LEEWAY_SECONDS,
            iss={"essential": True, "value": known.metadata["issuer"]},
            aud={"essential": True, "value": client_id},
            exp={"essential": True},
            iat={"essential": True},
            sub={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            rules.validate(claims)
        except JoseError as error:
            raise _refuse(f"the claims: {error}") from None
        several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if claims.get("azp", "" if several else client_id) != client_id:
            raise _refuse("the token was given to another application")
        return claims

    async def _learn(self) -> _Known:
        if self._known is None or time.monotonic() > self._known.until:
            issuer = get_settings().oidc_issuer
            metadata = await _ask(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
            if str(metadata.get("issuer", "")).rstrip("/") != issuer.rstrip("/"):
                raise QuireError("The provider says that it is another than QUIRE_OIDC_ISSUER.")
            try:
                for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
                    _check_address(metadata[name])
                keys = KeySet.import_key_set(await _ask(metadata["jwks_uri"]))  # type: ignore[arg-type]
            except (KeyError, TypeError, ValueError, JoseError) as error:
                _log.warning("sign-in: the provider's metadata or keys: %r", error)
                raise QuireError(
                    "The provider that QUIRE_OIDC_ISSUER names cannot be used: see the server's "
                    "log."
                ) from None
            self._known = _Known(metadata, keys)
        return self._known


def _make_client(metadata: Mapping[str, Any], back: str) -> Any:
    here = get_settings()
    secret = here.oidc_client_secret.get_secret_value() if here.oidc_client_secret else None
    ways = metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    way = "client_secret_basic" if "client_secret_basic" in ways else "client_secret_post"
    return AsyncOAuth2Client(
        client_id=here.oidc_client_id,
        client_secret=secret,
        token_endpoint_auth_method=way if secret else "none",
        scope=here.oidc_scopes,
        redirect_uri=back,
        code_challenge_method="S256",
        timeout=SECONDS,
    )


async def _ask(address: str, token: str = "") -> dict[str, Any]:
    """An object that the provider keeps at an address."""
    _check_address(address)
    headers = {"authorization": f"Bearer {token}"} if token else {}
    try:
        async with httpx.AsyncClient(timeout=SECONDS) as client:
            answer = (await client.get(address, headers=headers)).raise_for_status().json()
    except (httpx.HTTPError, ValueError) as error:
        raise _make_silent_error(error) from error
    if not isinstance(answer, dict):
        raise _make_silent_error(TypeError(f"{address} holds no object"))
    return answer


def _check_address(address: str) -> None:
    """Raise `QuireError` where others could listen, or answer in the provider's place."""
    parts = urlsplit(address)
    if parts.scheme != "https" and parts.hostname not in LOOPBACK_NAMES:
        raise QuireError("The provider that signs people in must be asked by https.")


def _decode(token: str, keys: KeySet) -> dict[str, Any]:
    return jwt.decode(token, keys, algorithms=ALGORITHMS).claims


def _read_claims(claims: Mapping[str, Any], groups: object) -> Claims:
    named = groups if isinstance(groups, list) else [groups]
    name = claims.get("name") or claims.get("preferred_username") or claims.get("email") or ""
    return Claims(
        subject=str(claims["sub"]),
        name=str(name),
        email=str(claims.get("email") or ""),
        email_checked=claims.get("email_verified") is True,
        groups=tuple(one for one in named if isinstance(one, str)),
    )


def _refuse(why: str) -> SignInError:
    _log.warning("sign-in refused: %s", why)
    return SignInError("The sign-in could not be trusted, and was refused: sign in once more.")


def _make_silent_error(error: Exception) -> QuireError:
    _log.warning("sign-in: the provider fails: %r", error)
    return QuireError("The provider that signs people in does not answer: try again in a minute.")
