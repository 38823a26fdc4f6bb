"""Which sentences of a source read well out of their place: whole, and pointing at nothing."""

import re

from text.tokens import KANA_OR_HAN

MIN_LOWER_WORDS, MIN_LOWER_SHARE = 2, 0.3
"""Words in small letters that a sentence has where its script has capitals: entries of contents
lists, menus and indexes have fewer."""

_ENDING = re.compile(r"[.!。！…｡۔।]+['\"”’»）)\]]*$")
_BEGINNING = re.compile(r"['\"“‘«„【「]*[^\W_a-z]")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_CASED = re.compile(r"[A-Za-zÀ-ɏͰ-ϿЀ-ӿ]")

_LISTING = re.compile(
    r"\btable of contents\b|\binhaltsverzeichnis\b|\btable des matières\b|\btabla de contenidos?\b|"
    r"\b(?:prev|next|home|up)\b[\s|·»«›‹]+\b(?:prev|next|home|up)\b|目录|目次|"
    r"\.{4,}|…\s*\d+|[|·•›»]\s.*[|·•›»]\s",
    re.IGNORECASE,
)
"""What contents lists, menus and indexes have: their names, dots, bars."""

_SECTION_NUMBERS = re.compile(
    r"\b\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+[A-Z].*\b\d{1,2}(?:\.\d{1,2}){1,3}\b"
)

_POINTER = re.compile(
    r"(?:please )?(?:see|refer to|consult|click|continue with|read on|"
    r"for (?:more|further|additional|full)? ?(?:details?|"
    r"information|examples?|background)|(?:more|further) (?:details?|information))\b|"
    r"(?:siehe|vgl|weitere (?:informationen|details)|näheres|mehr dazu)\b|"
    r"(?:voir|cf|reportez-vous|consultez|pour (?:plus|en savoir))\b|"
    r"(?:véase|ver también|vea|consulte|para (?:más|obtener más))\b|"
    r"(?:参见|参阅|另见|详见|请参|更多信息|参照|詳細は)",
    re.IGNORECASE,
)
"""How a sentence begins that only sends its reader on."""

_ANSWER = re.compile(r"[?？]['\"”’»]*\s+\S|,\s(?:yes|no|ja|nein|oui|non)\W*$", re.IGNORECASE)
"""What answers a question of its own: the question before it, or a last word."""

_COLOPHON = re.compile(
    r"(?:prepared|compiled|written|published|printed|updated|issued|approved|signed|translated|"
    r"edited|drawn up) (?:for|by|on|at|in)\b",
    re.IGNORECASE,
)
"""How a line begins that says who made a page, and when."""

_FORBIDDING = re.compile(
    r"\b(?:may|must|should|shall|can) ?(?:not|never)\b|\b(?:can|must|should)n['’]t\b|"
    r"\b(?:do not|don['’]t|never|not allowed|not permitted|forbidden|prohibited)\b|"
    r"\b(?:verboten|untersagt|nicht (?:erlaubt|gestattet|dürfen))\b|"
    r"\b(?:dürfen|darf)\b.{0,30}\bnicht\b|"
    r"\b(?:interdit|défendu)|\bne (?:pas|(?:peut|peuvent|pouvez|devez|doit)\b.{0,20}\bpas)\b|"
    r"\b(?:prohibid|prohíb)|\bno (?:se )?(?:debe|puede|permit)|\b(?:vietat|proibit)|"
    r"\bnon (?:si )?(?:deve|può|devono|possono)\b|\bproibid|\bnão (?:se )?(?:deve|pode)|"
    r"\b(?:verboden|niet (?:toegestaan|mogen)|mag\b.{0,30}\bniet)\b|"
    r"禁止|不得|不可|不准|してはいけ|してはなら|できません",
    re.IGNORECASE,
)
"""What a heading says below which things stand that nobody may do."""

_QUOTATION = re.compile(r"\"[^\"]*\"|“[^“”]*”|«[^«»]*»|„[^„“]*“|[「『][^」』]*[」』]")
_GERMAN_QUOTATION = re.compile(r"„[^“”]*[“”]")

_OPENINGS = (
    # English
    r"its?|this|that|these|those|they|their|he|she|his|her|such|however|but|and|so|thus|then|here",
    r"therefore|moreover|furthermore|also|as a result|for (?:example|instance)|in addition|another",
    r"even (?:then|so)|an example|the defaults?|if -?\d+|specifies|controls|returns|determines",
    r"indicates|enables|disables|allows|contains|shows|gives|defines|causes|means",
    r"besides|instead|otherwise|likewise|similarly|conversely|nevertheless|hence|consequently",
    r"there(?! (?:is|are|was|were|exist))|notice that|one (?:advantage|reason|problem|such)",
    r"(?:both|each|all|some) of (?:them|these)|on the other hand|chapter \d\S*",
    r"section \d\S* (?:shows?|showed|describe\w*|explain\w*|discuss\w*|list\w*|cover\w*)",
    r"the (?:latter|former|same|other|second|third|following|previous|next|above)|in both cases",
    r"(?:in|at|for|with|by|from|to|of|because of|due to) (?:this|that|these|those|such|it|them)",
    r"(?:without|before|after|despite|like|behind|below|beside) (?:this|that|these|those|it|them)",
    r"(?:one|two|three|four|five|six|ten|none|most|many|half|a \w+) of (?:them|these|those|which)",
    r"all (?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?! (?:of|\w+s)\b)",
    r"both(?= (?:together|are|were|have|had|can|do|did)\b)|nor",
    r"(?:before|after|yes|no)(?=[.,;])",
    r"(?:how|why|what|where) (?:it|they|this|that|these|those|he|she)",
    r"(?:in|on|at|since|until|by|from|during|within) (?:[\w]+[ ,]+){1,4}(?:it|they|he|she)",
    r"(?:if|when|since|because|although|while|once|as|after|before|where|unless|until) "
    r"(?:its?|they|their|this|that|these|those|he|she|such|so|not)",
    # German
    r"er|sie|es(?! (?:gibt|ist|sind))|dies\w*|jedoch|aber|außerdem|zudem|ferner|dabei|dadurch",
    r"damit|daher|deshalb|somit|hier|dort|darüber hinaus|eine? weiterer?",
    r"wenn (?:er|sie|es|dies\w*)",
    # French
    r"il(?! (?:y a|existe|faut|est))|elle|ils|elles|cela|ceci|cette?|ces|mais|ainsi|donc|cependant",
    r"toutefois|en outre|de plus|par conséquent|ici|une? autre",
    # Spanish, Italian
    r"est[ae]|est[ao]s|pero|esto|además|por (?:lo )?tanto|sin embargo|así|también|aquí|otr[oa]",
    r"dich[oa]s?|quest[oa]|ma",
)
_UNSPACED_OPENINGS = (
    r"[它他她这那此该其但而]|因此|所以|然而|同时|另外|于是|前者|后者|上述|以上|以下|如[上下]",
    r"これ|それ|しかし|また|さらに",
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|can|could|may|might|must|will|would|shall|should|do|"
    r"does|did|cannot|\w+n't)\b|"
    r"\b[a-z]{2,}s (?:the|an?|that|its|their|all|each|no|only|it|them|you|your|any|every|one|two|"
    r"more|less|up|out)\b|"
    r"\b(?:you|we|they|it|who|which|that) [a-z]+|"
    r"^[A-Z][a-z]+ (?:the|an?|your|all|each|any|it|this|that|only|up|no)\b|"
    r"^[A-Z][a-z]+ (?:`|\w+_\w+)"
)
"""What an English entry of a list has that is a sentence: a verb, or an imperative's object."""

_ENGLISH = re.compile(r"\b(?:the|of|and|to|with|by)\b")
_GERUND = re.compile(r"^[A-Z][a-z]+ing\b")
_BACK_REFERENCE = re.compile(
    rf"(?:{'|'.join(_OPENINGS)})\b|(?:{'|'.join(_UNSPACED_OPENINGS)})", re.IGNORECASE
)
_NUMBERED = (
    "tables?|figures?|chapters?|examples?|listings?|appendix|tabelle|abbildung|abschnitt|"
    "kapitel|tableau|chapitre|tabla|figura|sección|capítulo"
)
_POINTING_WORDS = re.compile(
    r"[;,(] ?see\b|\b(?:"
    r"(?:mentioned|described|discussed|shown|listed|defined|explained|see|index|query|example|table|"
    r"figure|section) (?:above|below|earlier|previously)|above-mentioned|as follows|"
    r"(?:previous|preceding|next|following|above) (?:few )?(?:(?:sub)?section|chapter|example|"
    r"paragraph|table|figure|page|quer)\w*|"
    rf"(?:{_NUMBERED}) [\dA-Z][\d.]*|fig\. \d+|information here|"
    # "under section 14" of a law names a rule, and says where no text stands
    r"(?<!of )(?<!under )(?<!by )sections? \d[\d.]*(?![\d.]| of the)|"
    r"this (?:section|chapter|page|document|example|manual|appendix)|"
    r"(?:oben|unten) (?:genannt|beschrieben|gezeigt|erwähnt)\w*|(?:obige|folgende|vorige)\w*|"
    r"ci-dessus|ci-dessous|précédemment|anteriormente|mencionad[oa])\b|"
    r"如[上下]所[述示]|[上下][文述表图節节]|本[章节節页頁文]|[见見]?[表图圖]\s?\d|第\d+[章节節]",
    re.IGNORECASE,
)


def is_readable(text: str) -> bool:
    """Whether a sentence reads well out of its place: no question, code, fragment or pointer.

    It has 25 to 420 characters, or 10 to 160 in scripts without spaces; one with a figure, 16.
    """
    unspaced = len(KANA_OR_HAN.findall(text))
    low, high = (10, 160) if unspaced > len(text) / 3 else (25, 420)
    low = min(low, 16) if re.search(r"\d", text) else low
    letters = sum(character.isalpha() or character.isspace() for character in text)
    has_form = _ENDING.search(text) and _BEGINNING.match(text) and not _POINTER.match(text)
    is_colophon = _COLOPHON.match(text) and not _VERB.search(text)
    is_own = not (_ANSWER.search(text) or is_colophon or _is_speech(text))
    has_size = low <= len(text) <= high and letters >= 0.7 * len(text)
    return bool(has_form) and is_own and has_size and not is_listing(text)


def _is_speech(text: str) -> bool:
    """Whether a text is quoted as a whole, or a part of a longer quotation: nobody says it."""
    if any(text.count(opening) != text.count(closing) for opening, closing in ("“”", "«»")):
        return not _GERMAN_QUOTATION.search(text)
    return text.count('"') % 2 == 1 or bool(_QUOTATION.fullmatch(text))


def is_listing(text: str) -> bool:
    """Whether a text is of a contents list, a menu or an index: names and numbers, no clause."""
    if _LISTING.search(text) or _SECTION_NUMBERS.search(text):
        return True
    words = _WORD.findall(text)
    if len(_CASED.findall(text)) < len(text) / 2 or len(words) < 2:
        return False
    lower: int = sum(word[0].islower() for word in words)
    return lower < MIN_LOWER_WORDS or lower < MIN_LOWER_SHARE * len(words)


def is_fragment(text: str, *, is_item: bool) -> bool:
    """Whether an English text is no sentence: an entry of a list without a verb, or a gerund."""
    if not _ENGLISH.search(text) or not (is_item or _GERUND.match(text)):
        return False
    return not _VERB.search(text)


def refers_back(text: str) -> bool:
    """Whether a sentence points at what stands elsewhere, as "It also ..." and "see below" do."""
    return bool(_BACK_REFERENCE.match(text) or _POINTING_WORDS.search(text))


def is_forbidden(above: str, sentence: str) -> bool:
    """Whether a sentence tells what the heading above it forbids: alone it would advise it."""
    return bool(_FORBIDDING.search(above)) and not _FORBIDDING.search(sentence)
