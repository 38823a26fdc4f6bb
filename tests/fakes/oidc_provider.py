"""A provider of OpenID Connect: discovery, a sign-in page that asks nothing, signed tokens.

It holds clients to the standard: the redirect address and the client must be known, a code is good
once, and PKCE must fit.
"""

import base64
import hashlib
import hmac
import json
import secrets
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OctKey, RSAKey
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from fakes.server import Fake

CLIENT_ID = "quire-test"
CLIENT_SECRET = "a secret: with %/+ in it"


@dataclass
class Person:
    """Who signs in when the page is opened next."""

    subject: str
    name: str = "Ada Lovelace"
    email: str = "ada@id.example"
    groups: list[str] | None = field(default_factory=list)


class OidcProvider(Fake):
    """The provider.

    Attributes:
        person: who signs in next; None: they give up.
        lies: claims that replace those of the ID token; None takes one away.
        forged: how the next token is signed: rightly, not at all, by another's key, or by what all
            know.
        groups_by_userinfo: whether the groups stand there, and not in the ID token.
        userinfo_subject: whose the userinfo is, if not the person's.
        asked: parameters of the sign-in pages that were opened.
    """

    def __init__(self) -> None:
        super().__init__(
            [
                Route("/.well-known/openid-configuration", self._tell_metadata),
                Route("/keys", self._tell_keys),
                Route("/authorize", self._authorize),
                Route("/token", self._give_token, methods=["POST"]),
                Route("/userinfo", self._tell_userinfo),
            ]
        )
        self.person: Person | None = Person("ada")
        self.lies: dict[str, Any] = {}
        self.forged = ""
        self.groups_by_userinfo = False
        self.userinfo_subject = ""
        self.asked: list[dict[str, str]] = []
        self.issuer_said = ""
        self.back = ""
        self._codes: dict[str, tuple[dict[str, str], Person]] = {}
        self._tokens: dict[str, Person] = {}
        self.rotate()

    def rotate(self) -> None:
        """Sign with new keys; the old ones are gone."""
        name = secrets.token_hex(4)
        self._rsa = RSAKey.generate_key(2048, {"kid": f"rsa-{name}", "use": "sig"})
        self._ec = ECKey.generate_key("P-256", {"kid": f"ec-{name}", "use": "sig"})

    async def _tell_metadata(self, request: Request) -> Response:
        return JSONResponse(
            {
                "issuer": self.issuer_said or self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "userinfo_endpoint": f"{self.url}/userinfo",
                "jwks_uri": f"{self.url}/keys",
            }
        )

    async def _tell_keys(self, request: Request) -> Response:
        keys = KeySet([self._rsa, self._ec])
        return JSONResponse(keys.as_dict(private=False))

    async def _authorize(self, request: Request) -> Response:
        said = dict(request.query_params)
        self.asked.append(said)
        if said.get("client_id") != CLIENT_ID or said.get("redirect_uri") != self.back:
            return Response("unknown client or address", 400)
        if self.person is None:
            answer = {"error": "access_denied", "error_description": "<script>no</script>"}
        else:
            code = secrets.token_urlsafe(16)
            self._codes[code] = said, self.person
            answer = {"code": code}
        query = urlencode(answer | {"state": said["state"]})
        return RedirectResponse(f"{said['redirect_uri']}?{query}", 302)

    async def _give_token(self, request: Request) -> Response:
        form = await request.form()
        said, person = self._codes.pop(str(form.get("code")), ({}, Person("")))
        expected = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        challenge = _encode(hashlib.sha256(str(form.get("code_verifier")).encode()).digest())
        if (
            not said
            or request.headers.get("authorization") != f"Basic {expected}"
            or form.get("redirect_uri") != said["redirect_uri"]
            or said.get("code_challenge_method") != "S256"
            or challenge != said["code_challenge"]
        ):
            return JSONResponse({"error": "invalid_grant"}, 400)
        access = secrets.token_urlsafe(16)
        self._tokens[access] = person
        token = self._sign(person, said["nonce"])
        return JSONResponse({"access_token": access, "token_type": "Bearer", "id_token": token})

    async def _tell_userinfo(self, request: Request) -> Response:
        person = self._tokens.get(request.headers.get("authorization", "").removeprefix("Bearer "))
        if person is None:
            return JSONResponse({"error": "invalid_token"}, 401)
        subject = self.userinfo_subject or person.subject
        return JSONResponse({"sub": subject, "name": person.name, "groups": person.groups})

    def _sign(self, person: Person, nonce: str) -> str:
        now = int(time.time())
        claims: dict[str, Any] = {
            "iss": self.url, "sub": person.subject, "aud": CLIENT_ID, "nonce": nonce,
            "iat": now, "exp": now + 300, "name": person.name, "email": person.email,
        }  # fmt: skip
        if person.groups is not None and not self.groups_by_userinfo:
            claims["groups"] = person.groups
        claims = {name: value for name, value in (claims | self.lies).items() if value is not None}
        kid = str(self._rsa.kid)
        match self.forged:
            case "none":
                return jwt.encode(
                    {"alg": "none"}, claims, OctKey.generate_key(), algorithms=["none"]
                )
            case "another key":
                other = RSAKey.generate_key(2048, {"kid": kid})
                return jwt.encode({"alg": "RS256", "kid": kid}, claims, other)
            case "shared key":  # the public key as the secret of an HMAC, which joserfc refuses
                head = {"alg": "HS256", "kid": kid}
                signed = ".".join(_encode(json.dumps(one).encode()) for one in (head, claims))
                known = self._rsa.as_pem(private=False)
                mac = hmac.new(known, signed.encode(), hashlib.sha256).digest()
                return f"{signed}.{_encode(mac)}"
            case "client secret":
                known = OctKey.import_key(CLIENT_SECRET)
                return jwt.encode({"alg": "HS256"}, claims, known)
            case "elliptic":
                return jwt.encode({"alg": "ES256", "kid": str(self._ec.kid)}, claims, self._ec)
            case "garbage":
                return "not.a.token"
        return jwt.encode({"alg": "RS256", "kid": kid}, claims, self._rsa)


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
