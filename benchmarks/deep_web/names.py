"""Names that nobody bears, in three languages, made of syllables."""

import random
from collections.abc import Iterator

_HEADS = (
    "Bre", "Tal", "Ver", "Mor", "Quil", "Ash", "Dun", "Hel", "Kes", "Lor", "Nar", "Ost", "Pel",
    "Ras", "Sel", "Tor", "Ul", "Wen", "Yar", "Zel", "Cav", "Fen", "Gar", "Ivi",
)  # fmt: skip
_MIDDLES = ("", "la", "ma", "ven", "ri", "do", "na", "bel", "ti", "ro")
_ENDS = {
    ("en", "town"): ("ford", "wick", "stead", "mouth", "holm", "minster", "haven"),
    ("en", "river"): ("vel", "ther", "sine", "ruth", "leam"),
    ("en", "family"): ("low", "man", "ner", "sby", "croft", "drake", "quist"),
    ("en", "thing"): ("trix", "nova", "spar", "lume", "dex"),
    ("de", "town"): ("burg", "stedt", "hausen", "furt", "rode"),
    ("de", "river"): ("ach", "itz", "elde", "aue"),
    ("de", "family"): ("mann", "brecht", "huber", "gruber", "städt"),
}
_FIRST = {
    "en": ("Ilse", "Marit", "Oswin", "Tabor", "Edda", "Corin", "Lysa", "Bram", "Petra", "Noll"),
    "de": ("Hanne", "Ruprecht", "Gesine", "Volker", "Imke", "Detlef", "Swantje", "Anselm"),
}
_HAN = {
    "town": ("云澄霁岚泽沧栖芷砚棠", "溪陵浦泉桥丰安岭", "市"),
    "river": ("青沅碧泠澹洛渌漪", "沱渠澜汀涧", "河"),
    "person": ("顾岑殷祁鄢闻翟靳褚裴", "岚砚书晚青知予望舒槿", "生宁白之遥川年"),
    "company": ("澄砺霁垣昱钧衡舜", "海峰远信科岳", "精工公司"),
}


def names(kind: str, language: str, rng: random.Random) -> Iterator[str]:
    """Names of a kind of thing, each once, without end."""
    seen: set[str] = set()
    while True:
        name = _han(kind, rng) if language == "zh" else _spelled(kind, language, rng)
        if name not in seen:
            seen.add(name)
            yield name


def _spelled(kind: str, language: str, rng: random.Random) -> str:
    if kind == "person":
        return f"{rng.choice(_FIRST[language])} {_spelled('family', language, rng)}"
    end = rng.choice(_ENDS[language, kind])
    return rng.choice(_HEADS) + rng.choice(_MIDDLES) + end


def _han(kind: str, rng: random.Random) -> str:
    first, second, last = _HAN[kind]
    end = rng.choice(last) if kind == "person" else last
    return rng.choice(first) + rng.choice(second) + end
