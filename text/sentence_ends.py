"""Which stops of a text may end a sentence: not those of 3.5, e.g., code, brackets and quotes."""

import re

_STOPS = ".!?…。！？؟।"
_CLOSING_CHARACTERS = "\"'”’»›)\\]}）」』*_"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\ud7ff"  # scripts without spaces
_CITATION_MARKER = r"(?:\[\^?\d+(?:[,;–-]\ ?\d+)*\](?:\([^()\s]{1,500}\))?|【\d+】)"

# Patterns begin with the characters that they look for: all else is skipped at once.
_INNER_STOP = re.compile(
    rf"""[`.!?](?:
      (?<=`) [^`\n]+`
    | (?<!`)(?:
          # 3.5, a.b, .x: something of the same word follows; but U.S. is the splitter's business
          (?<![{_UNSPACED}].) (?!(?<=\b[^\W\d_]\.) [^\W\d_]\.)
          (?![{_CLOSING_CHARACTERS}“]{{0,6}} (?:[\s{_STOPS}]|$|{_CITATION_MARKER}))
        | (?<=\b(?:cf|vs|ca|al|Dr|Mr|Ms)\.) | (?<=\b(?:e\.g|i\.e|т\.е|viz|Mrs|Mme|Sra|Dra)\.)
        | (?<=\b(?:Mlle|Prof)\.) | (?<=\bт\.\ е\.) | (?<=\bapprox\.)
        | (?: (?<=\b[pv]\.) | (?<=\b(?:[Nn]o|Nr|[Cc]h|[Ee]q|pp)\.) | (?<=\b[Ff]igs\.)
            | (?<=\b(?:[Nn]os|[Ff]ig|[Ss]ec|Eqs|[Vv]ol|[Vv]er|Art)\.) ) (?=\s?[\d(`])
    ))""",
    re.VERBOSE,
)
_LANGUAGE_STOPS = {
    "de": re.compile(r"(?:(?<=\b[AaIi]m \d)|(?<=\b(?:[Dd]er|[Dd]ie|[Dd]as|[Dd]e[mns]) \d))\d?\."),
    "fr": re.compile(r"\bMM?\.(?= [A-ZÀ-Þ])"),
}
_PAIR = re.compile(
    r"""[(“„«「『（"](?:
      (?<=\() (?:[^()]|\([^()]{0,200}\)){1,400} \)
    | (?<=“)[^“”]{1,400}” | (?<=„)[^„“”]{1,400}[“”] | (?<=«)[^«»]{1,400}»
    | (?<=「)[^「」]{1,400}」 | (?<=『)[^『』]{1,400}』 | (?<=（)[^（）]{1,400}）
    | (?<=") (?<![^\s(\[—–-]") (?!\s) [^"]{1,400} (?<!\s) " (?!\w)
    )""",
    re.VERBOSE,
)
_LOOKBEHIND = 40  # characters that blanks in place of citation markers may take
_STOP = re.compile(f"[{_STOPS}]")
_SENTENCE_START = re.compile(rf"(?:^|[{_STOPS}])[{_CLOSING_CHARACTERS}“\s]*$")
_LAST_STOP = re.compile(rf"[{_STOPS}]?\s?[{_CLOSING_CHARACTERS}“]$")
_TWO_SENTENCES = re.compile(r"[.!?]\s+[A-ZÀ-ÞА-Я]")
_CONTINUES = re.compile(r"\s[a-zß-öø-ÿа-я]")
_TRAILING_QUOTES = re.compile(rf"([{_STOPS}])((?:\s?»|“(?=\s|$)|[{_CLOSING_CHARACTERS}]){{1,6}})")
_TRAILING_MARKERS = re.compile(
    rf"([{_STOPS}] (?:\s?»|[{_CLOSING_CHARACTERS}“]){{0,6}}) ((?:\s?{_CITATION_MARKER}){{1,20}})",
    re.VERBOSE,
)
_QUOTE_OR_BRACKET = re.compile("[`\"'“”„‘’‚«»‹›()\\[\\]{}<>（）「」『』《》【】]")


def mask_inner_stops(text: str, language: str) -> str:
    """A text as a splitter should see it: of the same length, with the stops that may end it.

    Code and what else has stops inside becomes letters, and so do all brackets and quotes: a
    splitter would take two marks, or two apostrophes, for a pair around whole sentences. What
    belongs to a sentence but stands behind its stop becomes blanks: quotes, brackets and marks.

    Args:
        text: one paragraph.
        language: of its rules.
    """
    text = _INNER_STOP.sub(_mask_with_letters, text)
    if pattern := _LANGUAGE_STOPS.get(language):
        text = pattern.sub(_mask_with_letters, text)
    text = _PAIR.sub(_mask_pair, _TRAILING_MARKERS.sub(_mask_with_blanks, text))
    text = _TRAILING_QUOTES.sub(_mask_with_blanks, text)
    return _QUOTE_OR_BRACKET.sub("Q", text)


def _mask_with_letters(found: re.Match[str]) -> str:
    return "Q" * len(found[0])  # which is no Roman numeral, as of a list


def _mask_with_blanks(found: re.Match[str]) -> str:
    return found[1] + " " * len(found[2])


def _mask_pair(found: re.Match[str]) -> str:
    """What is in brackets or quotes: only its last stop may end a sentence."""
    opens = _SENTENCE_START.search(
        found.string[max(0, found.start() - _LOOKBEHIND) : found.start()]
    )
    last = _LAST_STOP.search(found[0])
    end = last.start() if last else len(found[0])
    if not opens and found[0][0] == "(" and _TWO_SENTENCES.search(found[0], 0, end):
        return found[0]  # opened here, closed in another sentence
    if _CONTINUES.match(found.string, found.end()) and not (opens and found[0][0] == "("):
        end = len(found[0])  # "Stop!" he said
    return _STOP.sub("q", found[0][:end]) + found[0][end:]
