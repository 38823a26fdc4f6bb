"""Pages made of the templates in `web/html`; whatever they show is escaped."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.authentication import UnauthenticatedUser
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from schema.settings import get_settings
from web.csrf import get_csrf_token, write_csrf_field


@cache
def _load_templates() -> Environment:
    return Environment(
        loader=PackageLoader("web", "html"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )


async def render_part(name: str, values: dict[str, Any]) -> str:
    """A part of a page as HTML."""
    return _load_templates().get_template(name).render(values)


async def render_page(
    request: Request,
    name: str,
    values: dict[str, Any],
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A page as an answer.

    Args:
        request: whom it is for.
        name: of the template.
        values: what it shows, beside `visitor` (the name of who asks; "" where nobody signed in),
            `signs_in` (whether anybody does), `csrf_field()`, `csrf_token()` (`web/csrf.py`).
        status: of the answer.
        headers: of the answer.
    """
    user = request.scope.get("user")
    known = user is not None and not isinstance(user, UnauthenticatedUser)
    own = {
        "signs_in": get_settings().needs_sign_in,
        "visitor": user.display_name if user and known else "",
        "csrf_field": partial(write_csrf_field, request),
        "csrf_token": partial(get_csrf_token, request),
    }
    page = _load_templates().get_template(name).render(own | values)
    return HTMLResponse(page, status, headers)
