"""Which stops of a text may end a sentence: not those of 3.5, e.g., code, brackets and quotes."""

import re

_STOPS = ".!?…。！？؟।"
_CLOSING = "\"'”’»›)\\]}）」』*_"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\ud7ff"  # scripts without spaces
_MARK = r"(?:\[\^?\d+(?:[,;–-]\ ?\d+)*\](?:\([^()\s]{1,500}\))?|【\d+】)"

# Patterns begin with the signs that they look for: all else is skipped at once.
_INSIDE = re.compile(
    rf"""[`.!?](?:
      (?<=`) [^`\n]+`
    | (?<!`)(?:
          # 3.5, a.b, .x: something of the same word follows; but U.S. is the splitter's business
          (?<![{_UNSPACED}].) (?!(?<=\b[^\W\d_]\.) [^\W\d_]\.)
          (?![{_CLOSING}“]{{0,6}} (?:[\s{_STOPS}]|$|{_MARK}))
        | (?<=\b(?:cf|vs|ca|al|Dr|Mr|Ms)\.) | (?<=\b(?:e\.g|i\.e|т\.е|viz|Mrs|Mme|Sra|Dra)\.)
        | (?<=\b(?:Mlle|Prof)\.) | (?<=\bт\.\ е\.) | (?<=\bapprox\.)
        | (?: (?<=\b[pv]\.) | (?<=\b(?:[Nn]o|Nr|[Cc]h|[Ee]q|pp)\.) | (?<=\b[Ff]igs\.)
            | (?<=\b(?:[Nn]os|[Ff]ig|[Ss]ec|Eqs|[Vv]ol|[Vv]er|Art)\.) ) (?=\s?[\d(`])
    ))""",
    re.VERBOSE,
)
_OF_LANGUAGE = {
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
_FAR = 40  # characters that blanks in place of marks may take
_STOP = re.compile(f"[{_STOPS}]")
_BEGINS = re.compile(rf"(?:^|[{_STOPS}])[{_CLOSING}“\s]*$")
_LAST = re.compile(rf"[{_STOPS}]?\s?[{_CLOSING}“]$")
_TWO = re.compile(r"[.!?]\s+[A-ZÀ-ÞА-Я]")
_GOES_ON = re.compile(r"\s[a-zß-öø-ÿа-я]")
_BEHIND = re.compile(rf"([{_STOPS}])((?:\s?»|“(?=\s|$)|[{_CLOSING}]){{1,6}})")
_MARKS_BEHIND = re.compile(
    rf"([{_STOPS}] (?:\s?»|[{_CLOSING}“]){{0,6}}) ((?:\s?{_MARK}){{1,20}})", re.VERBOSE
)
_SIGN = re.compile("[`\"'“”„‘’‚«»‹›()\\[\\]{}<>（）「」『』《》【】]")


def ending_stops(text: str, language: str) -> str:
    """A text as a splitter should see it: of the same length, with the stops that may end it.

    Code and what else has stops inside becomes letters, and so do all brackets and quotes: a
    splitter would take two marks, or two apostrophes, for a pair around whole sentences. What
    belongs to a sentence but stands behind its stop becomes blanks: quotes, brackets and marks.

    Args:
        text: one paragraph.
        language: of its rules.
    """
    text = _INSIDE.sub(_letters, text)
    if pattern := _OF_LANGUAGE.get(language):
        text = pattern.sub(_letters, text)
    text = _PAIR.sub(_paired, _MARKS_BEHIND.sub(_blanks, text))
    text = _BEHIND.sub(_blanks, text)
    return _SIGN.sub("Q", text)


def _letters(found: re.Match[str]) -> str:
    return "Q" * len(found[0])  # which is no Roman numeral, as of a list


def _blanks(found: re.Match[str]) -> str:
    return found[1] + " " * len(found[2])


def _paired(found: re.Match[str]) -> str:
    """What is in brackets or quotes: only its last stop may end a sentence."""
    opens = _BEGINS.search(found.string[max(0, found.start() - _FAR) : found.start()])
    last = _LAST.search(found[0])
    end = last.start() if last else len(found[0])
    if not opens and found[0][0] == "(" and _TWO.search(found[0], 0, end):
        return found[0]  # opened here, closed in another sentence
    if _GOES_ON.match(found.string, found.end()) and not (opens and found[0][0] == "("):
        end = len(found[0])  # "Stop!" he said
    return _STOP.sub("q", found[0][:end]) + found[0][end:]
