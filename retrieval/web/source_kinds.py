"""What sort of source a document is, by its address: law, documentation, forum, own file, ..."""

import re
from collections.abc import Mapping
from typing import Literal
from urllib.parse import urlsplit

SourceKind = Literal[
    "own document", "law", "public authority", "standard", "official documentation",
    "scientific paper", "code repository", "encyclopaedia", "news", "web page", "blog", "forum",
]  # fmt: skip

_PRIMARY: frozenset[SourceKind] = frozenset(
    {
        "own document", "law", "public authority", "standard", "official documentation",
        "scientific paper",
    }
)  # fmt: skip
_PERSONAL: frozenset[SourceKind] = frozenset(["blog", "forum"])

_HOSTS: Mapping[SourceKind, str] = {
    "law": "eur-lex.europa.eu legislation.gov.uk gesetze-im-internet.de dejure.org buzer.de "
    "law.cornell.edu legifrance.gouv.fr boe.es normattiva.it congress.gov ecfr.gov govinfo.gov "
    "federalregister.gov fedlex.admin.ch ris.bka.gv.at curia.europa.eu",
    "scientific paper": "arxiv.org doi.org ncbi.nlm.nih.gov pubmed.gov nature.com science.org "
    "sciencedirect.com springer.com acm.org ieee.org plos.org biorxiv.org medrxiv.org jstor.org "
    "openreview.net aclanthology.org semanticscholar.org wiley.com tandfonline.com mdpi.com "
    "frontiersin.org ssrn.com thelancet.com bmj.com nejm.org pnas.org",
    "standard": "rfc-editor.org ietf.org w3.org iso.org iec.ch whatwg.org ecma-international.org "
    "unicode.org din.de",
    "public authority": "europa.eu bund.de admin.ch who.int un.org oecd.org worldbank.org imf.org "
    "gov mil gov.uk gov.au gov.in gov.br gov.cn gov.it gov.pl gc.ca gouv.fr gob.es gob.mx gv.at "
    "go.jp go.kr gov.ie govt.nz gov.za gov.sg gov.il gov.pt",
    "forum": "stackoverflow.com stackexchange.com superuser.com serverfault.com askubuntu.com "
    "mathoverflow.net reddit.com quora.com news.ycombinator.com groups.google.com zhihu.com "
    "gutefrage.net discord.com",
    "blog": "medium.com substack.com dev.to wordpress.com blogspot.com hashnode.dev tumblr.com "
    "ghost.io qiita.com",
    "encyclopaedia": "wikipedia.org britannica.com wikidata.org scholarpedia.org baike.baidu.com",
    "code repository": "github.com gitlab.com bitbucket.org codeberg.org sourceforge.net",
    "official documentation": "readthedocs.io readthedocs.org docs.rs pkg.go.dev "
    "developer.mozilla.org man7.org",
    "news": "reuters.com apnews.com bbc.com bbc.co.uk nytimes.com theguardian.com ft.com wsj.com "
    "washingtonpost.com bloomberg.com economist.com cnn.com spiegel.de zeit.de faz.net "
    "sueddeutsche.de tagesschau.de heise.de golem.de lemonde.fr lefigaro.fr elpais.com elmundo.es "
    "repubblica.it corriere.it nzz.ch derstandard.at nikkei.com asahi.com xinhuanet.com "
    "techcrunch.com theverge.com arstechnica.com",
}
_KIND_OF_HOST = {host: kind for kind, hosts in _HOSTS.items() for host in hosts.split()}

_SHAPES: tuple[tuple[SourceKind, re.Pattern[str]], ...] = (
    ("forum", re.compile(r"^(?:forums?|community|discuss|discourse|lists?|answers)\.|/forums?/")),
    ("blog", re.compile(r"^blogs?\.|/blogs?(?:/|$)")),
    ("official documentation", re.compile(
        r"^(?:docs?|developers?|help|support|learn|manual|wiki|api|reference)\."
        r"|/(?:docs?|documentation|manuals?|reference|man|api-docs|handbook)(?:/|$)"
    )),
    ("news", re.compile(r"^news\.|/news/")),
)  # fmt: skip
"""Beginnings of hosts and parts of paths, where the host itself is not known."""


_MANUAL = re.compile(
    r"\b(?:documentation|(?:reference|user['’]?s?) (?:manual|guide)|manual|handbook|handbuch|"
    r"dokumentation|manuel|manuale)\W*\Z",
    re.IGNORECASE,
)
"""The end of the name of a site that is a manual."""


def name_source_kind(address: str) -> SourceKind:
    """The kind of source that stands at a web address; what has none is the user's own."""
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return "web page"
    if parts.scheme not in ("http", "https"):
        return "own document"
    labels = host.split(".")
    for start in range(len(labels)):  # the longest name that is known
        if kind := _KIND_OF_HOST.get(".".join(labels[start:])):
            return kind
    place = f"{host}{parts.path.lower()}"
    return next((kind for kind, shape in _SHAPES if shape.search(place)), "web page")


def describe_source_kind(address: str, site: str = "") -> str:
    """The kind of a source for who reads it, by its address and its site's name.

    "" where that tells nothing: of a web page like others, and of a file.
    """
    kind = name_source_kind(address)
    if kind not in ("own document", "web page"):
        return kind
    return "official documentation" if _MANUAL.search(site) else ""


def rank_source_kind(kind: SourceKind) -> int:
    """0 for primary and official sources, 1 for what reports on them, 2 for persons' own words."""
    return 0 if kind in _PRIMARY else 2 if kind in _PERSONAL else 1
