"""Which address to read next: what is known of it before it is read, as one weight in 0..1.

    weight = ((0.70 * relevance + 0.15 * frequency + 0.05 * host + 0.10 * path) * (1 - f)
              + f * fresh) * 0.5 ^ dead

    relevance   of title, excerpt and link texts to the question, by a reranker, in 0..1
    frequency   n / (n + 2) for n searches and pages of other hosts that lead to the address
    host        share of all searches that found something on its host
    path        over its folders from the host down, the share of all searches that found something
                at or below it, each folder counted 0.8 of the one above
    fresh       confidence in the date of the last change * 0.5 ^ (age / half-life)
    f           0.3 where the question wants what is new, else 0
    dead        of the host's addresses those that could not be read, less those that could, in 0..3

Only searches and other hosts count, never how many addresses a host has or how often it names its
own: no host lifts itself by repetition. Addresses on restricted hosts weigh nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlsplit

RELEVANCE, FREQUENCY, HOST, PATH = 0.70, 0.15, 0.05, 0.10
FRESHNESS = 0.3
DECAY = 0.8
MAX_FOLDERS = 4
"""Folders of a path that count."""
HALF_LIFE = 180.0
"""Days after which a change counts half."""

MAX_DEAD = 3
"""Addresses of a host that could not be read, from which on more do not count against it."""

RESTRICTED_HOSTS = frozenset(
    {
        "facebook.com", "instagram.com", "linkedin.com", "pinterest.com", "quora.com",
        "tiktok.com", "twitter.com", "x.com",
    }
)  # fmt: skip
"""Hosts that show their content to who is signed in, or forbid reading by programs."""


@dataclass(frozen=True, kw_only=True)
class UrlFeatures:
    """An address and what is known of it.

    `searches` are the queries that found it, `linked_from` the addresses of pages that link to it.
    `relevance` lies in 0..1; `updated` is the day of its last change, with a `confidence` in 0..1.
    `is_readable` says whether it could be read, None where nobody tried.
    """

    url: str
    searches: frozenset[str] = frozenset()
    linked_from: frozenset[str] = frozenset()
    relevance: float = 0.0
    updated: date | None = None
    confidence: float = 0.0
    is_readable: bool | None = None


@dataclass(frozen=True)
class RankedUrl:
    """An address with its weight, and what each signal gave to it."""

    url: str
    weight: float
    parts: Mapping[str, float]


def rank_urls(
    leads: Iterable[UrlFeatures],
    today: date,
    *,
    wants_fresh: bool = False,
    restricted: Collection[str] = RESTRICTED_HOSTS,
) -> list[RankedUrl]:
    """Weigh addresses, best first; equal weights stand in the order of their addresses.

    Args:
        leads: each address once.
        today: the day that ages are counted to.
        wants_fresh: whether the question asks for what is new.
        restricted: hosts, with all below them, that weigh nothing.
    """
    held = list(leads)
    share = FRESHNESS if wants_fresh else 0.0
    everything = frozenset[str]().union(*(lead.searches for lead in held))
    below = _group_searches(held)
    dead = _count_dead(held)
    found = []
    for lead in held:
        why = {
            "relevance": RELEVANCE * _clamp(lead.relevance),
            "frequency": FREQUENCY * _score_frequency(lead),
            "host": HOST * _find_share(below[get_host(lead.url)], everything),
            "path": PATH * _score_path(lead.url, below, everything),
        }
        alive = 0.5 ** dead[get_host(lead.url)]
        why = {name: alive * value * (1 - share) for name, value in why.items()}
        why["fresh"] = alive * share * _score_freshness(lead, today)
        weight = 0.0 if _is_restricted(lead.url, restricted) else sum(why.values())
        told = {name: round(value, 4) for name, value in why.items() if value}
        found.append(RankedUrl(lead.url, round(weight, 4), told))
    return sorted(found, key=lambda one: (-one.weight, one.url))


def limit_per_host(weighed: Sequence[RankedUrl], most: int) -> list[RankedUrl]:
    """The best of each host, in order: a search must not stay on one site."""
    taken: defaultdict[str, int] = defaultdict(int)
    kept = []
    for one in weighed:
        taken[get_host(one.url)] += 1
        if taken[get_host(one.url)] <= most:
            kept.append(one)
    return kept


def get_host(url: str) -> str:
    """The host of an address without `www.`; "" where it has none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _group_searches(leads: Iterable[UrlFeatures]) -> defaultdict[str, frozenset[str]]:
    """For each host, and each folder of it, the searches that found something there."""
    below: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for lead in leads:
        for place in (get_host(lead.url), *_list_folders(lead.url)):
            below[place] |= lead.searches
    return below


def _count_dead(leads: Iterable[UrlFeatures]) -> Counter[str]:
    """How many more addresses of a host could not be read than could; 0 to `MAX_DEAD`."""
    dead: Counter[str] = Counter()
    for lead in leads:
        if lead.is_readable is not None:
            dead[get_host(lead.url)] += -1 if lead.is_readable else 1
    return Counter({host: min(count, MAX_DEAD) for host, count in dead.items() if count > 0})


def _list_folders(url: str) -> list[str]:
    """The folders of an address as `host/a`, `host/a/b`, without its last name."""
    try:
        names = [name for name in urlsplit(url).path.split("/") if name][:-1][:MAX_FOLDERS]
    except ValueError:
        return []
    return ["/".join([get_host(url), *names[: n + 1]]) for n in range(len(names))]


def _score_path(url: str, below: Mapping[str, frozenset[str]], everything: frozenset[str]) -> float:
    """The mean of the folders' shares, each weighing `DECAY` of the one above; in 0..1."""
    folders = _list_folders(url)
    weights = [DECAY**n for n in range(MAX_FOLDERS)]
    shares = [_find_share(below[folder], everything) for folder in folders]
    return sum(w * s for w, s in zip(weights, shares, strict=False)) / sum(weights)


def _score_frequency(lead: UrlFeatures) -> float:
    others = {get_host(url) for url in lead.linked_from} - {get_host(lead.url), ""}
    count = len(lead.searches) + len(others)
    return count / (count + 2)


def _score_freshness(lead: UrlFeatures, today: date) -> float:
    if lead.updated is None:
        return 0.0
    age = max(0, (today - lead.updated).days)
    return float(_clamp(lead.confidence) * 0.5 ** (age / HALF_LIFE))


def _is_restricted(url: str, restricted: Collection[str]) -> bool:
    host = get_host(url)
    return not host or any(host == one or host.endswith(f".{one}") for one in restricted)


def _find_share(some: frozenset[str], everything: frozenset[str]) -> float:
    return len(some) / len(everything) if everything else 0.0


def _clamp(value: float) -> float:
    return min(1.0, max(0.0, value))
