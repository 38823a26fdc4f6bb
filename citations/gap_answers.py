"""Whether passages tell what a text says is missing: by words, with no model."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from citations.claim_facts import SentenceFacts
from citations.content_terms import has_kin
from citations.evidence_span import MAX_SPAN_SENTENCES
from citations.gap_phrases import speaks_of_absence
from schema.documents import Passage
from text.dates import DateMention, find_dates
from text.sentences import split_sentences
from text.tokens import content_weight, tokenise

MIN_FOUND, MIN_CLEAR = 0.55, 0.8
"""Share of a subject's words that neighbouring sentences hold that speak of it, and that tell it
where they also have the figure or the date that it asks for."""

MIN_WORDS = 2
"""Words of content that a subject must have for words alone to say that a passage tells it."""

_ASKS_FIGURE = {
    "en": r"how (?:many|much|long|often|fast|large|big|old|far|high|heavy|soon)|when|prices?|"
    r"costs?|"
    r"numbers?|amounts?|dates?|years?|limits?|sizes?|durations?|rates?|percentages?|shares?|"
    r"figures?|"
    r"values?|thresholds?|defaults?|weights?|lengths?|heights?|intervals?|fees?|capacity",
    "de": r"wie (?:viele?|lange?|oft|schnell|groß|alt|weit|hoch|teuer|laut|schwer)|wann|Preise?|"
    r"Kosten|Anzahl|Zahl(?:en)?|Datum|Jahre?|Grenz\w*|Größe|Dauer|Rate|Anteil\w*|Werte?|"
    r"Schwell\w*|Gewicht|Länge|Höhe|Gebühr\w*",
    "fr": r"combien|quand|prix|coûts?|nombres?|montants?|dates?|années?|limites?|taille|durée|taux|"
    r"valeurs?|seuils?|poids|longueur|hauteur|chiffres?",
    "es": r"cuánt[oa]s?|cuándo|precios?|costes?|costos?|números?|cantidad|fechas?|años?|límites?|"
    r"tamaño|duración|tasas?|valor(?:es)?|umbral(?:es)?|peso|cifras?|cuesta",
    "it": r"quant[oaie]|quando|prezz[oi]|cost[oi]|numer[oi]|dat[ae]|ann[oi]|limit[ei]|durata|tasso|"
    r"valor[ei]|sogli[ae]|peso|cifr[ae]",
    "pt": r"quant[oa]s?|quando|preços?|custos?|números?|datas?|anos?|limites?|duração|taxas?|"
    r"valor(?:es)?|limiar(?:es)?|peso",
    "nl": r"hoe(?:veel| lang| vaak| groot| oud| ver| hoog| duur)|wanneer|prijs|prijzen|kosten?|"
    r"kost|"
    r"aantal|datum|jaar|grens|grootte|duur|waarde|drempel|gewicht|cijfers?",
    "zh": r"多少|多久|几|何时|什么时候|价格|费用|成本|数量|日期|年份|上限|大小|时长|比例|数值|"
    r"阈值|重量",
    "ja": r"いくら|いくつ|どれだけ|どのくらい|いつ|何年|何人|価格|費用|数|日付|上限|大きさ|期間|"
    r"割合|値|重さ|額|寿命",
}  # fmt: skip

_NAMES_PRICE = {
    "en": r"pric(?:es?|ed|ing)|costs?|fees?|sells? for|sold for|(?:in)?expensive|cheap\w*|pays?|"
    r"charges?",
    "de": r"\w*preise?s?|\w*kosten|kostet|gebühr\w*|teuer|günstig\w*|bezahlt|verkauft",
    "fr": r"prix|coûte?\w*|tarifs?|chère?s?|payer|vendue?s?",
    "es": r"precios?|cuestan?|costes?|costos?|tarifas?|car[oa]s?|vende",
    "it": r"prezz[oi]|cost[aio]\w*|tariff[ae]|car[oa]|vendut[oa]",
    "pt": r"preços?|custa\w*|custos?|tarifas?|car[oa]s?|vendid[oa]",
    "nl": r"\w*prij(?:s|zen)|kost\w*|tarie(?:f|ven)|duur|goedkoop|verkocht",
    "zh": r"价格|售价|费用|成本|价钱|收费|花费|元",
    "ja": r"価格|費用|値段|料金|円|代金|コスト",
}  # fmt: skip
"""Words of prices: one stands for the other, and no general word for both."""

_EMPTY = {
    "en": "long much many large number amount figure value time last take data information detail "
    "exact exactly precise precisely kind type full whole",
    "de": "lange lang viel viele groß hoch anzahl zahl zahlen wert werte dauert genau genaue "
    "angaben daten",
    "fr": "combien nombre chiffre valeur durée exact précis données",
    "es": "cuánto número cifra valor tiempo exacto datos dura",
    "it": "quanto numero cifra valore tempo esatto dati dura",
    "pt": "quanto número valor tempo exato dados dura",
    "nl": "hoeveel aantal cijfer waarde lang duurt precies gegevens",
}  # fmt: skip
"""Words of questions and of figures, for which the figure itself stands."""

_PRICE = "\0price"

_NUMBERED = re.compile(r"([^\W\d_]{2,}) (\d{1,3})(?![\w.,]\d|\w)")
"""What is told apart by a number, as class 3; a year is none."""


_CODE = re.compile(r"\b\w+_\w+\b")
"""The name of a setting or a column: one that another holds, as `cost_limit`, is not the same."""


@dataclass(frozen=True)
class SpokenOf:
    """A passage that speaks of a subject: share of the subject's words, and whether it tells it.

    Of the words `own` is the share that it has itself, without its heading and title.
    """

    chunk: int
    share: float
    is_clear: bool
    own: float = 0.0


def rate_passages(
    subject: str,
    passages: Sequence[Passage],
    language: str,
    titles: Sequence[str] = (),
    published: Sequence[str] = (),
) -> list[SpokenOf]:
    """The passages that speak of what a text says is missing, the best first.

    Words are not sure of a passage that was published before a day that the subject names.

    Args:
        subject: the missing thing, in words.
        passages: what was found of it.
        language: of the subject; words of other languages are not compared.
        titles: of the documents of the passages.
        published: their dates, "" where none is known.
    """
    wanted = find_terms(subject, language)
    figure, codes = _asks_figure(subject, language), _CODE.findall(subject)
    if not wanted:
        return []
    rated = [
        _rate_passage(wanted, passage, language, title, figure=figure, codes=codes)
        for passage, title in zip(passages, titles or [""] * len(passages), strict=True)
    ]
    day = find_last_day(subject, language)
    early = {one.chunk for one, told in zip(passages, published, strict=False) if "" < told < day}
    rated = [replace(one, is_clear=one.is_clear and one.chunk not in early) for one in rated]
    good = [one for one in rated if one.share >= MIN_FOUND]
    return sorted(good, key=lambda one: (-one.is_clear, -one.share, -one.own))


def find_last_day(text: str, language: str) -> str:
    """The last date that a text names, as sources carry theirs; "" where it names none."""
    return max((_write_day(one) for one in find_dates(text, language)), default="")


def _write_day(date: DateMention) -> str:
    """A date as sources carry theirs: of no year it is "", and of no day the month."""
    if date.year is None:
        return ""
    return f"{date.year:04d}-{date.month:02d}" + (f"-{date.day:02d}" if date.day else "")


def _rate_passage(
    wanted: frozenset[str],
    passage: Passage,
    language: str,
    title: str,
    *,
    figure: bool,
    codes: Sequence[str],
) -> SpokenOf:
    above = find_terms(f"{title} {passage.heading}", language)
    whole = f"{passage.heading} {passage.text}"
    has_codes = all(re.search(rf"\b{re.escape(one)}\b", whole) for one in codes)
    named = {term for term in wanted if has_kin(term, above)}
    best, own, clear = 0.0, 0.0, False
    for said in _iterate_windows(passage.text, language):
        terms = find_terms(said, language)
        here = {term for term in wanted if has_kin(term, terms)}
        if not here:
            continue
        share = len(here | named) / len(wanted)
        best, own = max(best, share), max(own, len(here) / len(wanted))
        told = has_codes and (not figure or _has_figure(said, language))
        if len(wanted) >= MIN_WORDS and share >= MIN_CLEAR and told:
            clear = True
    return SpokenOf(passage.chunk, best, clear, own)


def find_telling_sentence(
    subject: str, passage: Passage, language: str, title: str = ""
) -> tuple[str, float]:
    """The sentence of a passage that clearly tells a subject by itself, and its share of the words.

    Args:
        subject: what is asked, in words.
        passage: may tell it.
        language: of the subject.
        title: of the passage's document.

    Returns:
        "" and 0 where none does.
    """
    wanted, figure = find_terms(subject, language), _asks_figure(subject, language)
    if len(wanted) < MIN_WORDS:
        return "", 0.0
    above = find_terms(f"{title} {passage.heading}", language)
    named = {term for term in wanted if has_kin(term, above)}
    best, most = "", 0.0
    for at in split_sentences(passage.text, language):
        said = passage.text[at.start : at.end]
        terms = find_terms(said, language)
        here = {term for term in wanted if has_kin(term, terms)}
        states = not said.rstrip().endswith(("?", "？")) and at.kind == "prose"
        if 2 * len(here) < len(wanted) or not states or speaks_of_absence(said, language):
            continue
        share = len(here | named) / len(wanted)
        if share > most and share >= MIN_CLEAR and (not figure or _has_figure(said, language)):
            best, most = said, share
    return best, most


def _iterate_windows(text: str, language: str) -> Iterator[str]:
    """Runs of neighbouring sentences that state something: no questions, no absence."""
    found = [
        said
        for at in split_sentences(text, language)
        if not (said := text[at.start : at.end]).rstrip().endswith(("?", "？"))
        and not speaks_of_absence(said, language)
    ]
    for first in range(len(found)):
        yield " ".join(found[first : first + MAX_SPAN_SENTENCES])


def _has_figure(said: str, language: str) -> bool:
    facts = SentenceFacts(said, language)
    return bool(facts.dates) or any(not one.is_loose for one in facts.quantities)


def find_terms(text: str, language: str) -> frozenset[str]:
    """The words of content of a text, what it numbers, and one for all words of prices."""
    words, priced = _NAMES_PRICE.get(language), 0
    if words:
        text, priced = _compile(words, language).subn(" ", text)
    empty = frozenset(tokenise(_EMPTY.get(language, ""), language))
    terms = frozenset(
        term
        for term in tokenise(text, language)
        if content_weight(term, language) == 1
        and term not in empty
        and not any(character.isdigit() for character in term)
    )
    numbered = {
        f"{found[2]} {found[1].casefold()}"
        for found in _NUMBERED.finditer(text)
        if content_weight(found[1].casefold(), language) == 1
    }
    return terms | numbered | ({_PRICE} if priced else set())


def _asks_figure(subject: str, language: str) -> bool:
    words = _ASKS_FIGURE.get(language)
    return bool(words and _compile(words, language).search(subject))


@cache
def _compile(words: str, language: str) -> re.Pattern[str]:
    whole = words if language in ("zh", "ja") else rf"\b(?:{words})\b"
    return re.compile(whole, re.IGNORECASE)
