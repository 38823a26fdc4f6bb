"""Numbers written as words or in Chinese numerals, and the words of their scales."""

import re
from collections.abc import Sequence
from functools import cache

_SMALL = {
    "de": "null ein|eins|eine|einen|einem|einer zwei drei vier fünf sechs sieben acht neun zehn "
    "elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen",
    "es": "cero un|uno|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece "
    "catorce quince dieciséis diecisiete dieciocho diecinueve",
    "fr": "zéro un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze "
    "quinze seize dix-sept dix-huit dix-neuf",
    "it": "zero un|uno|una due tre quattro cinque sei sette otto nove dieci undici dodici tredici "
    "quattordici quindici sedici diciassette diciotto diciannove",
    "nl": "nul een|één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien "
    "vijftien zestien zeventien achttien negentien",
    "pt": "zero um|uma dois|duas três quatro cinco seis sete oito nove dez onze doze treze "
    "catorze|quatorze quinze dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove",
}
"""0 to 19 by language, other forms of one number after a bar."""

_TENS = {
    "de": "zwanzig dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "fr": "vingt trente quarante cinquante soixante septante quatre-vingt|quatre-vingts nonante",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
}
_THIRD_ON = {
    "de": "dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte",
    "en": "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    "es": "tercero cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo",
    "fr": "troisième quatrième cinquième sixième septième huitième neuvième dixième onzième "
    "douzième",
    "it": "terzo quarto quinto sesto settimo ottavo nono decimo undicesimo dodicesimo",
    "nl": "derde vierde vijfde zesde zevende achtste negende tiende elfde twaalfde",
    "pt": "terceiro quarto quinto sexto sétimo oitavo nono décimo undécimo duodécimo",
}
"""Ordinals from the third to the twelfth: "first" and "second" mostly count nothing."""

_JOINED = {
    "de": ("{unit}und{ten}",), "en": ("{ten} {unit}",), "es": ("{ten} y {unit}", "veinti{unit}"),
    "fr": ("{ten} {unit}", "{ten} et {unit}"), "it": ("{ten}{unit}",),
    "nl": ("{unit}en{ten}", "{unit}ën{ten}"), "pt": ("{ten} e {unit}",),
}  # fmt: skip
"""How tens and units are joined, hyphens as blanks."""

_IRREGULAR = {
    "es": {"veintiún": 21, "veintidós": 22, "veintitrés": 23, "veintiséis": 26},
    "it": {"ventuno": 21, "ventotto": 28, "trentuno": 31, "trentotto": 38},
}
_POWERS = {
    2: "hundred hundert cien ciento cento honderd",
    3: "thousand thousands tausend mille mil mila duizend тысяч тысячи",
    5: "lakh",
    6: "million millions millionen mio millón millones milione milioni miljoen milhão milhões "
    "млн миллион миллиона миллионов",
    7: "crore",
    9: "billion billions bn milliarde milliarden mrd milliard milliards miliardo miliardi miljard "
    "bilhão bilhões млрд миллиард миллиарда миллиардов",
    12: "trillion trillions billionen billón billones bilioni",
}
_SCALES = {word: power for power, words in _POWERS.items() for word in words.split()}
_LONG_SCALE = {"de", "es", "fr", "it", "nl"}

CJK_SCALES = {
    "百": 2,
    "千": 3,
    "万": 4,
    "萬": 4,
    "만": 4,
    "亿": 8,
    "億": 8,
    "억": 8,
    "兆": 12,
    "조": 12,
}
"""Powers of ten of the signs for large numbers."""

_CJK_SMALL = {"十": 10, "百": 100, "千": 1000}
_CJK_DIGITS = {sign: value for value, sign in enumerate("〇一二三四五六七八九")} | {
    "零": 0, "两": 2, "兩": 2,
}  # fmt: skip
CJK_NUMERAL = re.compile("[〇零一二两兩三四五六七八九十百千万萬亿億]+")
"""A run of Chinese numerals; see `cjk_value`."""

_MOST_NUMERALS = 24  # more than any number has: a longer run is none


def scale(word: str, language: str) -> int | None:
    """The power of ten that a word like "million" or "Mrd" stands for; None for any other word.

    "Billion" is 9 in English and 12 in the languages of the long scale; "cent" is French.
    """
    if word in ("billion", "billions") and language in _LONG_SCALE:
        return 12
    if word in ("cent", "cents"):
        return 2 if language == "fr" else None
    return _SCALES.get(word)


def spoken(words: Sequence[str], language: str) -> tuple[int, int] | None:
    """Read the number that begins a run of words: "two hundred and fifty thousand".

    Args:
        words: in lower case, hyphens as blanks.
        language: one of those known here; another one has no number words.

    Returns:
        The value, and how many words make it; None where the first word is no number.
    """
    small = small_numbers(language)
    part, used = _below_hundred(words, 0, small)
    if not used:
        return None
    total, limit = 0, 13
    while used < len(words):
        power = scale(words[used], language)
        if power is None or not part:
            break
        if power == 2:
            part *= 100
        elif power < limit:
            total, part, limit = total + part * 10**power, 0, power
        else:
            break
        used += 1
        joined = used + (used < len(words) and words[used] in ("and", "y", "e", "und", "en"))
        more, taken = _below_hundred(words, joined, small)
        if taken:
            part, used = part + more, joined + taken
    return total + part, used


def _below_hundred(words: Sequence[str], at: int, small: dict[str, int]) -> tuple[int, int]:
    for length in (4, 3, 2, 1):
        value = small.get(" ".join(words[at : at + length]))
        if value is not None and at + length <= len(words):
            return value, length
    return 0, 0


@cache
def small_numbers(language: str) -> dict[str, int]:
    """The numbers below a hundred and the ordinals up to the twelfth, as words of a language."""
    if language not in _SMALL:
        return {}
    named = {
        form.replace("-", " "): value
        for value, forms in enumerate(_SMALL[language].split())
        for form in forms.split("|")
    }
    units = dict(named)
    for value, forms in enumerate(_TENS[language].split(), start=2):
        for ten in (form.replace("-", " ") for form in forms.split("|")):
            named[ten] = 10 * value
            for joined in _JOINED[language]:
                for unit, more in units.items():
                    if 0 < more < 10 or (language == "fr" and more and value in (6, 8)):
                        named.setdefault(joined.format(ten=ten, unit=unit), 10 * value + more)
    for value, word in enumerate(_THIRD_ON[language].split(), start=3):
        named.setdefault(word, value)
    return named | _IRREGULAR.get(language, {})


def cjk_value(numeral: str) -> int | None:
    """The value of a run of Chinese numerals (三百五十万, 二〇二四); None where it has none."""
    if len(numeral) > _MOST_NUMERALS:
        return None
    if all(sign in _CJK_DIGITS for sign in numeral):
        return int("".join(str(_CJK_DIGITS[sign]) for sign in numeral))
    whole = section = digit = 0
    counted = False
    for sign in numeral:
        if sign in _CJK_DIGITS:
            digit, counted = _CJK_DIGITS[sign], True
        elif sign in _CJK_SMALL:
            if not digit and not counted and sign != "十":
                return None  # 百 and 千 count nothing by themselves
            section, digit, counted = section + (digit or 1) * _CJK_SMALL[sign], 0, True
        elif not counted:
            return None
        else:
            power = 10 ** CJK_SCALES[sign]
            section, digit = section + digit, 0
            # 一万亿 multiplies what stands before, 一亿三千万 adds to it
            whole = (whole + section) * power if whole < power else whole + section * power
            section = 0
    return whole + section + digit
