"""Whom a text names as the source of what it says: news agencies, other outlets, addresses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

_AGENCIES = {
    "Reuters": "reuters|thomson reuters|ロイター|路透社|рейтер",
    "AP": "ap|associated press|the associated press|美联社|ap通信",
    "AFP": "afp|agence france-presse|agence france presse|法新社|afp通信",
    "dpa": "dpa|deutsche presse-agentur|德新社",
    "EFE": "efe|agencia efe", "Europa Press": "europa press", "ANSA": "ansa",
    "Adnkronos": "adnkronos", "Xinhua": "xinhua|xinhua news agency|新华社|新華社",
    "TASS": "tass|тасс|itar-tass", "Interfax": "interfax|интерфакс",
    "RIA": "ria novosti|риа новости",
    "Kyodo": "kyodo|kyodo news|共同|共同通信", "Jiji": "jiji|jiji press|時事|時事通信",
    "Yonhap": "yonhap|연합뉴스", "PA Media": "pa media|press association", "APA": "apa",
    "Keystone-SDA": "sda|keystone-sda|ats", "epd": "epd", "KNA": "kna", "UPI": "upi",
    "Bloomberg": "bloomberg|bloomberg news", "Lusa": "lusa|agência lusa", "ANP": "anp",
    "Belga": "belga", "TT": "tt nyhetsbyrån", "NTB": "ntb", "Ritzau": "ritzau", "PAP": "pap",
    "CTK": "čtk", "Anadolu": "anadolu agency|anadolu|anadolu ajansı", "PTI": "pti",
    "IANS": "ians", "ANI": "ani", "Canadian Press": "canadian press|the canadian press",
    "AAP": "aap", "CNS": "中新社|中国新闻社", "Agência Brasil": "agência brasil",
}  # fmt: skip
_BY_NAME = {name: agency for agency, names in _AGENCIES.items() for name in names.split("|")}
_HOSTS = {
    "reuters.com": "Reuters", "apnews.com": "AP", "afp.com": "AFP", "dpa.com": "dpa",
    "efe.com": "EFE", "europapress.es": "Europa Press", "ansa.it": "ANSA",
    "xinhuanet.com": "Xinhua", "news.cn": "Xinhua", "tass.com": "TASS", "tass.ru": "TASS",
    "interfax.ru": "Interfax", "kyodonews.net": "Kyodo", "jiji.com": "Jiji", "yna.co.kr": "Yonhap",
    "bloomberg.com": "Bloomberg", "lusa.pt": "Lusa", "aa.com.tr": "Anadolu",
}  # fmt: skip

_HEAD, _TAIL = 600, 400  # characters in which a dateline and a credit stand
_NAMES = "|".join(sorted(map(re.escape, _BY_NAME), key=len, reverse=True))
_LIST = rf"(?:{_NAMES})(?:\s?[/,&+]\s?(?:{_NAMES}))*"
_DATELINE = re.compile(
    rf"[(\[【/]\s?(?:[^()\[\]\n/]{{1,40}}[,/]\s?)?(?P<named>{_LIST})\s?[)\]】/]"
    rf"|[（【][^（）【】\n]{{0,12}}(?P<bracketed>{_LIST})[）】]"
    rf"|(?P<wired>新华社|新華社|中新社)[^\s，。]{{0,12}}电",
    re.IGNORECASE,
)
_CREDIT = re.compile(
    r"(?:©|\(c\)|copyright|source|quelle|fuente|fonte|bron|источник|来源|來源|agencies?|agentur"
    rf"|by|von|par|por)[:：\s]{{1,3}}(?:\d{{4}}\s)?(?:the\s)?(?P<named>{_LIST})(?![\w-])"
    rf"|[(\[（]\s?(?P<closed>{_LIST})\s?[)\]）]\s*\Z"
    rf"|^\s*(?:[*_—–-]{{1,2}}\s?)?(?P<alone>{_LIST})[*_.]{{0,2}}\s*\Z",
    re.IGNORECASE | re.MULTILINE,
)
_MIXED = re.compile(
    r"(?:with|mit|avec|con|com)\s(?:files|material|reporting|reports|information|informations|"
    r"información|informações|agenturmaterial|inputs?)?\s?(?:from|by|von|der|de|da|d['’])?\s?"
    rf"(?:the\s)?(?P<named>{_LIST})(?![\w-])",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s?[/,&+;]\s?|\s(?:and|und|et|y|e)\s")

_CAPITAL = r"[^\W\d_a-zß-öø-ÿа-я][\w.'’-]*"
_NAME = (
    rf"(?:(?:[Tt]he|[Dd]ie|[Dd]e[rmn]|[Dd]as|[Ll]a|[Ll]e|[Ee]l|[Ii]l) |[Ll]['’])?[\"“„«]?"
    rf"(?P<{{}}>{_CAPITAL}(?:[ -](?:(?:of|for|and|the|de|del|der|des|du|für|für die|y|et|und) )?"
    rf"{_CAPITAL}){{{{0,6}}}})"
)  # a run of words with capitals
_REPUBLISHED = re.compile(
    r"(?i:(?:originally|first) (?:published|appeared|reported) (?:on|in|by|at) |(?:re-?published|"
    r"reprinted|reposted|syndicated) (?:with permission )?from |(?:zuerst|ursprünglich) "
    r"(?:erschienen |veröffentlicht )?(?:bei|auf|in|im) |(?:publié|paru) (?:initialement |"
    r"d['’]abord )?(?:sur|dans|par) |"
    r"publicado (?:originalmente|originariamente|primero) (?:en|por) )" + _NAME.format("name")
)
_ATTRIBUTED = re.compile(
    r"(?i:\b(?:according to|citing|(?:first |as )?reported by|told|via|(?:data|figures|statement|"
    r"report|release) (?:from|by|of)|laut|nach angaben (?:von|der|des|vom)|wie|selon|d['’]après|"
    r"según|de acuerdo con|secondo|segundo) |(?:source|quelle|fuente|fonte|bron)s?: ?)"
    + _NAME.format("name")
    + "|"
    + _NAME.format("speaker")
    + r" (?:said|says|reported|reports|announced|stated|wrote|revealed|berichtete?|meldete?|"
    r"zufolge|informó|a (?:annoncé|indiqué|rapporté))\b"
)
_ORGANISATION = re.compile(
    r"(?i)\b(?:ministr\w*|minist\w*|bank|banca?o?|banque|instit\w*|office|bureau|universit\w*|"
    r"universidad|agenc\w*|agentur|authority|commission|kommission|comisión|council|department|"
    r"statisti\w*|association|verband|organi[sz]ation|organización|bundesamt|amt|foundation|"
    r"survey|service|board|court|federation|society|union)\b"
)
_ADDRESS = re.compile(r"https?://[^\s<>\"')\]]{3,500}")
_ARTICLE = re.compile(r"^(?:the|die|der|dem|den|das|la|le|el|il) |[\"“”„«»'’]")


@dataclass(frozen=True)
class Credits:
    """Whom a text names.

    Attributes:
        agencies: news agencies that it is from, as its dateline, its author or its host say.
        mixed: agencies that it has something of beside what is its own.
        republished: names of what it first stood in.
    """

    agencies: frozenset[str]
    mixed: frozenset[str]
    republished: tuple[str, ...]


def find_credits(text: str, author: str = "", url: str = "", site: str = "") -> Credits:
    """Whom a text's head and end, its author and its host name as its source."""
    head, tail = text[:_HEAD], text[-_TAIL:]
    mixed = {agency for found in _MIXED.finditer(tail) for agency in _split(found["named"])}
    named = {
        agency
        for found in (*_DATELINE.finditer(head), *_CREDIT.finditer(tail))
        for written in found.groups()
        if written
        for agency in _split(written)
        if _is_written(written, found[0])
    }
    authors = [one.strip().casefold() for one in _SEPARATOR.split(author.strip())]
    if authors and all(one in _BY_NAME for one in authors):
        named |= {_BY_NAME[one] for one in authors}
    else:
        mixed |= {_BY_NAME[one] for one in authors if one in _BY_NAME}
    for name in (_HOSTS.get(fold_host(url)), _BY_NAME.get(site.casefold())):
        named |= {name} if name else set()
    places = [tail] if len(text) <= _TAIL + _HEAD else [head, tail]
    republished = [one for place in places for one in _list_names(_REPUBLISHED, place)]
    return Credits(frozenset(named - mixed), frozenset(mixed), tuple(dict.fromkeys(republished)))


def find_attributions(passage: str) -> list[str]:
    """Names, folded, and addresses that a passage gives as the source of what it says."""
    addresses = [fold_address(one.rstrip(".,;")) for one in _ADDRESS.findall(passage)]
    return list(dict.fromkeys([*_list_names(_ATTRIBUTED, passage), *addresses]))


def is_organisation(name: str) -> bool:
    """Whether a folded name is that of an office, a bank and the like, and of no person."""
    return " " in name and _ORGANISATION.search(name) is not None


def fold_address(url: str) -> str:
    """One form for the addresses of a page: host and path."""
    try:
        path = urlsplit(url).path
    except ValueError:
        return ""
    return f"{fold_host(url)}{path.rstrip('/')}" if fold_host(url) else ""


def name_agency(name: str) -> str:
    """The agency that a folded name is one of; "" for none."""
    return _BY_NAME.get(name, "")


def fold_name(name: str) -> str:
    """A name as it is compared: without case, article and quotation marks."""
    return " ".join(_ARTICLE.sub("", " ".join(name.casefold().split())).split())


@cache
def fold_host(url: str) -> str:
    """The host of an address without "www."; "" where there is none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _split(written: str) -> Iterator[str]:
    for one in _SEPARATOR.split(written):
        if one.casefold() in _BY_NAME:
            yield _BY_NAME[one.casefold()]


def _is_written(named: str, whole: str) -> bool:
    """Whether a short name is written as agencies are: no "ap" or "apa" of a running text."""
    return len(named) > 4 or named.isupper() or named in ("dpa", "epd") or "/" in whole


def _list_names(pattern: re.Pattern[str], text: str) -> list[str]:
    found = (name for one in pattern.finditer(text) for name in one.groups() if name)
    return [folded for name in found if len(folded := fold_name(name)) > 1]
