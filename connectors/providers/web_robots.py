"""robots.txt: what a site asks crawlers to leave alone (RFC 9309).

Python's own reader knows neither wildcards nor that the longest rule counts.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

LONGEST_DELAY = 10.0
"""Seconds between two requests that a site may ask for; one that asks for more gets this."""


@dataclass
class Rules:
    """What one crawler may do on a site."""

    paths: list[tuple[str, bool]] = field(default_factory=list)
    """Patterns of paths, and whether what they match is allowed."""
    delay: float = 0.0

    def allow(self, url: str) -> bool:
        """Whether an address may be asked for."""
        parts = urlsplit(url)
        path = unquote(f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}")
        matching = [(len(rule), allowed) for rule, allowed in self.paths if _matches(rule, path)]
        return max(matching, default=(0, True))[1]  # of two of one length, the one that allows


def read_rules(text: str, agent: str) -> Rules:
    """The rules for a crawler: all groups that name it, else all that are for everyone."""
    found: defaultdict[str, Rules] = defaultdict(Rules)
    ours, named, in_rules = {agent.casefold(), "*"}, set[str](), False
    for line in text.removeprefix("\ufeff").splitlines():
        name, _, value = (part.strip() for part in line.partition("#")[0].partition(":"))
        match name.casefold():
            case "user-agent":
                named = set() if in_rules else named
                named |= ours & {value.casefold().partition("/")[0]}
                in_rules = False
                for one in named:
                    found[one]  # a group without rules allows everything
            case "allow" | "disallow":
                in_rules = True
                for one in named if value else ():
                    found[one].paths.append((unquote(value), name.casefold() == "allow"))
            case "crawl-delay":
                in_rules = True
                for one in named:
                    found[one].delay = _seconds(value)
    return found.get(agent.casefold()) or found.get("*") or Rules()


def _matches(rule: str, path: str) -> bool:
    """Whether a pattern with `*` and a last `$` matches from the beginning, in linear time."""
    first, *others = rule.removesuffix("$").split("*")
    last = others.pop() if others and rule.endswith("$") else ""
    if not path.startswith(first):
        return False
    at = len(first)
    for part in others:
        at = path.find(part, at)
        if at < 0:
            return False
        at += len(part)
    if not rule.endswith("$"):
        return True
    return path.endswith(last) and len(path) - len(last) >= at if "*" in rule else at == len(path)


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        return 0.0
    return min(seconds, LONGEST_DELAY) if seconds > 0 else 0.0  # what is no number is not above 0
