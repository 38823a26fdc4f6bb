"""Units of measure and currencies as they are written beside a number."""

import re

_SYMBOLS = (
    "km m cm mm µm nm mi ft kg g mg µg t l ml ha W kW MW GW TW Wh kWh MWh GWh TWh V kV Hz kHz MHz "
    "GHz KB MB GB TB KiB MiB GiB TiB bp kb °C °F K h min s ms km/h mph m/s km² m² km³ m³ % ‰"
)
_NAMES = {
    "%": "percent|per cent|pct|prozent|pour cent|por ciento|per cento|por cento|procent|"
    "percentage points|prozentpunkte|процентов|процента",
    "km": "kilometer|kilometers|kilometre|kilometres|kilometern|kilomètre|kilomètres|kilómetro|"
    "kilómetros|chilometri|quilômetros|公里|千米|キロメートル|キロ|킬로미터",
    "m": "meter|meters|metre|metres|metern|mètre|mètres|metro|metros|米|公尺|メートル|미터",
    "cm": "centimeter|centimeters|centimetre|centimetres|zentimeter|centimètres|centímetros|厘米",
    "mm": "millimeter|millimeters|millimetre|millimetres|millimètres|milímetros|毫米",
    "mi": "mile|miles|meile|meilen|millas|英里",
    "ft": "foot|feet|fuß|pieds|pies|英尺",
    "kg": "kilogram|kilograms|kilogramme|kilogrammes|kilogramm|kilo|kilos|kilogramos|公斤|千克",
    "g": "gram|grams|gramm|gramme|grammes|gramos|克",
    "mg": "milligram|milligrams|milligramm|milligrammes|miligramos|毫克",
    "t": "ton|tons|tonne|tonnes|tonnen|toneladas|吨|噸|トン",
    "l": "liter|liters|litre|litres|litern|litros|升|リットル",
    "ha": "hectare|hectares|hektar|hectáreas|公顷",
    "km²": "square kilometers|square kilometres|sq km|quadratkilometer|kilomètres carrés|"
    "kilómetros cuadrados|平方公里",
    "m²": "square meters|square metres|quadratmeter|mètres carrés|metros cuadrados|平方米",
    "km/h": "kilometers per hour|kilometres per hour|stundenkilometer|kph|公里每小时",
    "°C": "degrees celsius|grad celsius|degrés celsius|grados celsius|℃|摄氏度",
    "°F": "degrees fahrenheit|grad fahrenheit|℉",
    "s": "second|seconds|sekunde|sekunden|seconde|secondes|segundo|segundos|秒",
    "min": "minute|minutes|minuten|minuto|minutos|分钟",
    "h": "hour|hours|hr|hrs|stunde|stunden|heure|heures|hora|horas|小时|時間",
    "day": "day|days|tag|tage|tagen|jour|jours|día|días|天",
    "week": "week|weeks|woche|wochen|semaine|semaines|semana|semanas|周|週間",
    "month": "month|months|monat|monate|monaten|mois|mes|meses|个月|個月|か月",
    "year": "year|years|jahr|jahre|jahren|ans|année|années|año|años|年",
    "KB": "kilobyte|kilobytes|kilo-octets", "MB": "megabyte|megabytes|mégaoctets",
    "GB": "gigabyte|gigabytes|gigaoctets", "TB": "terabyte|terabytes|téraoctets",
    "KiB": "kibibyte|kibibytes", "MiB": "mebibyte|mebibytes", "GiB": "gibibyte|gibibytes",
    "bp": "base pair|base pairs|basenpaare",
    "W": "watt|watts", "kW": "kilowatt|kilowatts", "MW": "megawatt|megawatts|兆瓦",
    "GW": "gigawatt|gigawatts", "kWh": "kilowatt hours|kilowattstunden",
    "USD": "usd|us$|$|dollar|dollars|us dollars|dólares|美元|ドル|달러",
    "EUR": "eur|€|euro|euros|欧元|ユーロ",
    "GBP": "gbp|£|pound|pounds|livres|libras|英镑",
    "JPY": "jpy|yen|円|日元", "CNY": "cny|rmb|yuan|元|人民币", "CHF": "chf|francs|franken",
    "INR": "inr|₹|rupees", "KRW": "krw|₩|원",
}  # fmt: skip
"""Names in lower case by symbol or code. £ and "pounds" of money stand for those of weight too."""

TIME = "time"
"""The unit of a length of time in milliseconds, in which 72 hours and 3 days are the same."""

MILLISECONDS = {
    "ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000, "day": 86_400_000, "week": 604_800_000,
}  # fmt: skip
"""In each unit of time."""

_BY_SYMBOL = {symbol: symbol for symbol in _SYMBOLS.split()}
_BY_NAME = {name: unit for unit, names in _NAMES.items() for name in names.split("|")}
_CURRENCY_BEFORE = re.compile(r"(?:(US\$|[$€£¥₹₩])|\b(USD|EUR|GBP|JPY|CNY|RMB|CHF|INR|KRW)) ?$")
_WORD = r"[^\W\d_]{1,30}"  # bounded: a long run of letters is looked at behind each number in it
_UNIT_AFTER = re.compile(
    rf"[ \u00a0\u202f-]?((?:{_WORD}[²³]?|°[CF]|[%‰$€£₹₩℃℉])(?:/{_WORD})?)"
    rf"(?:[ -]({_WORD}))?(?:[ -]({_WORD}))?"
)
_LONGEST_UNSPACED = 6


def find_unit_before(text: str, at: int) -> tuple[str, int]:
    """The currency written before a number that begins at `at`: its code and where it begins.

    Returns:
        ("", at) where there is none. ¥ stands for two currencies and so for none.
    """
    found = _CURRENCY_BEFORE.search(text, max(0, at - 5), at)
    if not found:
        return "", at
    return _BY_NAME.get((found[1] or found[2]).casefold(), ""), found.start()


def find_unit_after(text: str, at: int) -> tuple[str, int]:
    """The unit written after a number that ends at `at`: its symbol and where it ends.

    Returns:
        ("", at) where there is none.
    """
    for length in range(_LONGEST_UNSPACED, 0, -1):
        name = text[at : at + length]
        if name and not name.isascii() and len(name) == length and _is_unspaced_unit(name):
            return _BY_NAME[name], at + length
    found = _UNIT_AFTER.match(text, at)
    if not found:
        return "", at
    words = [word for word in found.groups() if word]
    if words[0] in _BY_SYMBOL:
        return _BY_SYMBOL[words[0]], found.end(1)
    for count in range(len(words), 0, -1):
        if unit := _BY_NAME.get(" ".join(words[:count]).casefold()):
            return unit, found.end(count)
    return "", at


def _is_unspaced_unit(name: str) -> bool:
    return name in _BY_NAME and name[0] >= "\u3000"
