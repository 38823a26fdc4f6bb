"""Text and links in HTML."""

import html
import re

from exports.tree.tokens import PLACEHOLDER
from exports.web_links import is_web

_NOT_IN_HTML = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff{PLACEHOLDER}]")


def escape_html(text: str) -> str:
    """Text for an element or an attribute in double quotes."""
    return html.escape(_NOT_IN_HTML.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


def render_link(text: str, address: str) -> str:
    """A link to a web page; the text alone where the address is none."""
    if not is_web(address):
        return escape_html(text)
    return f'<a href="{escape_html(address)}" rel="noopener nofollow">{escape_html(text)}</a>'
