"""What proves that a form was sent by a page of ours: a token that no other site can know.

It is made of the visitor's cookie, which no other site can read. Templates write
`{{ csrf_field() }}` as the first thing in a form; scripts send what `<meta name="csrf-token">`
holds as the header `X-CSRF-Token`. Routes do nothing for it: `web/csrf_guard.py` stands before all.
"""

import hashlib
import hmac
import secrets

from markupsafe import Markup
from starlette.requests import Request

from web.cookies import SESSION, VISIT, find_cookie

FIELD = "csrf_token"

_VISIT = "quire.visit"


class Visit:
    """A browser as its cookie tells it; without one it gets one, once a page asks for the token."""

    def __init__(self, request: Request) -> None:
        self._cookie = find_cookie(request, SESSION) or find_cookie(request, VISIT)
        self.made = ""
        """The cookie that the answer has to set; empty where there is no need."""

    @property
    def is_known(self) -> bool:
        """Whether the browser sent a cookie of ours."""
        return bool(self._cookie) and not self.made

    @property
    def token(self) -> str:
        """What its forms have to carry."""
        if not self._cookie:
            self._cookie = self.made = secrets.token_urlsafe(32)
        return hmac.new(self._cookie.encode(), b"csrf", hashlib.sha256).hexdigest()


def begin_visit(request: Request) -> Visit:
    """Remember for this request which browser sent it."""
    visit = request.scope[_VISIT] = Visit(request)
    return visit


def get_csrf_token(request: Request) -> str:
    """The token that this visitor's forms and scripts have to send."""
    visit: Visit = request.scope.get(_VISIT) or begin_visit(request)
    return visit.token


def write_csrf_field(request: Request) -> Markup:
    """The hidden field of a form; it has to be the form's first."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(
        FIELD, get_csrf_token(request)
    )
