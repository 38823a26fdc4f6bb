"""The links of a document: what Markdown, HTML and wiki text point to."""

import re
from collections.abc import Iterator
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

MAX_LINKS = 1_000
"""Links that are taken from one document."""

_LONGEST_LINK = 2_000
_OTHER_SCHEMES = ("mailto", "javascript", "data")
_IMAGE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico|tif)\Z", re.IGNORECASE)
_LINK_CHARACTERS = ("](", "]:", "[[", "://", "<a", "<A")  # without one of them there is no link

_FENCE = re.compile(r"[ \t>]*+(`{3,}|~{3,})")
_CODE_SPAN = re.compile(r"`[^`\n]++`")
# No text makes these slow: a repeat gives nothing back, and stops at the character with which
# the next attempt begins, so that each character is read a few times at most.
_TARGET = r"[ ]{0,9}(?:<([^<>\n]*+)>|((?:[^\s()<>]++|\([^\s()<>]*+\))++))"
_TITLE = r"""(?:\s{1,9}(?:"[^"\n]*+"|'[^'\n]*+'|\([^()\n]*+\)))?[ \t]*+"""
_LINK = re.compile(
    "|".join(
        (
            rf"!\[[^\[\]\n]*+\](?:\({_TARGET}{_TITLE}\)|\[[^\[\]\n]*+\])",  # an image
            r"!?\[\[(?P<wiki>[^\[\]|\n]++)(?:\|[^\[\]\n]*+)?\]\](?!\()",
            rf"(?<!\\)\]\({_TARGET}{_TITLE}\)",
            rf"^[ ]{{0,3}}\[(?!\^)[^\[\]\n]++\]:{_TARGET}{_TITLE}$",  # a reference's definition
            r"<(https?://[^\s<>]++)>",
            r"<(?:img|link|script|source)\b[^<>]*+>",  # what a page loads is no link
            r"""<a\s[^<>]*?\bhref\s{0,9}=\s{0,9}(?:"([^"<>]*+)"|'([^'<>]*+)'|([^\s"'<>]++))""",
            r"""(?P<bare>\bhttps?://(?:[^\s()<>\[\]"'`|\\^{}]++|\([^\s()<>\[\]"'`|\\^{}]*+\))++)""",
        )
    ),
    re.MULTILINE | re.IGNORECASE,
)


def find_links(text: str, base: str = "") -> list[str]:
    """Find what a document points to: pages, files and, as "wiki:Page", notes by their name.

    A reference link counts where it is defined. Fragments are dropped; images, addresses of
    mail, scripts, inline data, whatever stands in code, and the document itself are left out.

    Args:
        text: Markdown, HTML or plain text.
        base: The document's own uri; without it relative targets stay as they are written.

    Returns:
        Uris in order, each once, at most 1,000; those of files are written as in `Path.as_uri`.
    """
    if not any(sign in text for sign in _LINK_CHARACTERS):
        return []
    fenced = "```" in text or "~~~" in text
    prose = _CODE_SPAN.sub("", "".join(_skip_fenced_lines(text)) if fenced else text)
    found: dict[str, None] = {}
    for match in _LINK.finditer(prose):
        if uri := _read_link(match, base):
            found[uri] = None
        if len(found) == MAX_LINKS:
            break
    return list(found)


def _skip_fenced_lines(text: str) -> Iterator[str]:
    """Yield the lines outside fenced code."""
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        rest = line[mark.end() :] if mark else ""
        if fence:
            if mark and mark[1].startswith(fence) and not rest.strip():
                fence = ""
        elif mark and not (mark[1][0] == "`" and "`" in rest):
            fence = mark[1]
        else:
            yield line


def _read_link(match: re.Match[str], base: str) -> str:
    """What a match points to; "" for what is no link to another document."""
    target = next(filter(None, match.groups()), "").strip().replace("&amp;", "&")
    if match[0].startswith("!") or len(target) > _LONGEST_LINK:
        return ""
    if match["wiki"]:
        page = target.partition("#")[0].rstrip(" \\")  # in a table the bar is written `\|`
        return f"wiki:{page}" if page and not _IMAGE.search(page) else ""
    if match["bare"]:
        target = target.rstrip(".,;:!?*_~")
    try:
        return _resolve_link(target, base)
    except ValueError:  # no uri, such as http://[
        return ""


def _resolve_link(target: str, base: str) -> str:
    uri = urldefrag(urljoin(base, target)).url
    parts = urlsplit(uri)
    if uri == urldefrag(base).url or parts.scheme in _OTHER_SCHEMES or _IMAGE.search(parts.path):
        return ""
    if parts.scheme == "file":
        return parts._replace(path=quote(unquote(parts.path))).geturl()
    return uri
