"""Orders to a reader or a machine, and boasts: a page is no source for what they say."""

import re

_MACHINES = (
    r"(?:ai|llms?|language models?|(?:ai |virtual )?assistants?|chat ?bots?|(?:ai )?agents?|"
    r"crawlers?|bots?|robots?|machines?|"
    r"(?:automated|automatic|machine) (?:readers?|systems?|tools?))"
)
_TO_MACHINES = re.compile(
    r"\b(?:notice|note|message|instructions?|attention|reminder|prompt|important|hinweis|anweisung|"
    rf"avis|instruction|aviso)\b[^.]{{0,30}}?\b(?:to|for|an|für|aux?|pour|para)\s+(?:\w+\s+){{0,2}}"
    rf"{_MACHINES}\b|"
    rf"\b(?:if you are|as|you are|dear|hey|hello) (?:an? |all |any )?{_MACHINES}\b[^.]*"
    r"\b(?:you|must|please|ignore|say|tell|write)\b|"
    rf"^\W*(?:attention|achtung|important),? (?:all )?{_MACHINES}\b|"
    r"\b(?:system|developer) (?:prompt|message)\b\s*[:：]",
    re.IGNORECASE,
)
_OVERRIDE = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b(?: \w+){0,3} "
    r"(?:instructions?|prompts?|orders|guidelines|directions|"
    r"(?:other|remaining) (?:pages?|sources?|results?|documents?))\b|"
    r"\b(?:ignorier\w*|vergiss|vergessen sie|missacht\w*)\b(?: \w+){0,3} (?:anweisung\w*|befehl\w*|"
    r"vorgaben|(?:andere\w*|übrige\w*) (?:quellen?|seiten?))\b|"
    r"\b(?:ignor\w+|oubli\w+)(?: \w+){0,3} (?:instructions|consignes|autres (?:sources|pages))\b|"
    r"\b(?:ignor\w+|olvid\w+)(?: \w+){0,3} (?:instrucciones|otras (?:fuentes|páginas))\b|"
    r"(?:忽略|无视|忘记|忽視)[^。]{0,8}(?:指令|指示|提示|来源)|(?:指示|命令)を(?:無視|忘れ)",
    re.IGNORECASE,
)
_OTHER_SOURCES = re.compile(
    r"\b(?:do not|don't|never|must not|may not) (?:cite|quote|mention|name|use|trust|rely on)"
    r"(?: \w+){0,2} (?:other|else)\b",
    re.IGNORECASE,
)
_SAYING = (
    r"(?:cite|quote|state|say|claim|answer|reply|respond|report|conclude|recommend|mention|repeat|"
    r"tell)"
)
_SPEECH = re.compile(
    rf"^\W*(?:please |always |only |instead,? |you (?:must|should|have to|are to|need to|shall) "
    rf"(?:always |only |also )?)?(?:{_SAYING}|write) (?:(?:to )?(?:the|your|every|all) "
    r"(?:users?|readers?|people) )?that\b(?! (?:\w+ )?(?:file|value|line|name|number)\b)|"
    rf"\byou (?:must|should|have to|are to|shall) (?:always |only |also )?{_SAYING}\b|"
    rf"^\W*(?:always |only |please )*cite (?:this|only|our|the (?:present|above))\b|"
    r"^\W*(?:sie|du) (?:müssen|musst|sollen|sollst) [^.]*\b(?:zitieren|nennen|schreiben|antworten|"
    r"behaupten)\b|^\W*(?:zitier\w*|behaupt\w*|schreib\w*|antworte\w*)(?: sie)?,? dass\b",
    re.IGNORECASE,
)
_BOAST = re.compile(
    r"\b(?:(?P<most>fastest|quickest)[- ]growing|market[- ]leading|world[- ](?:class|leading)|"
    r"industry[- ]leading|leading (?:provider|supplier|manufacturer)|number one|no\. 1|"
    r"break\w* all records|unriv?all?ed|unbeatable|second to none|no end in sight|"
    r"marktführ\w+|weltweit führend\w*|unschlagbar\w*)\b",
    re.IGNORECASE,
)
_ABOUT_WRITING = re.compile(
    r"\b(?:writ\w+|report\w*|cit(?:e|es|ing|ations?)|quot\w+|answer\w*|summar\w+|claims?|schreib\w*|"
    r"zitier\w*|berichte?n?|antwort\w*|écri\w+|citer|rédiger|escrib\w+|citar)\b|写|引用",
    re.IGNORECASE,
)


def takes_over(text: str) -> bool:
    """Whether a sentence would take its reader over: what follows it is an order as well.

    It speaks to machines, or wants other instructions or sources to be left aside.
    """
    return any(one.search(text) for one in (_TO_MACHINES, _OVERRIDE, _OTHER_SOURCES))


def orders_words(text: str) -> bool:
    """Whether a sentence tells its reader what to say or cite, as no step of a task does."""
    return bool(_SPEECH.search(text))


def asks_about_writing(question: str) -> bool:
    """Whether a question is about writing or citing, so that orders to do so may answer it."""
    return bool(_ABOUT_WRITING.search(question))


def boasts(text: str, question: str) -> bool:
    """Whether a sentence praises as advertisements do, unless the question asks for just that."""
    found = _BOAST.search(text)
    return found is not None and (found["most"] or found[0]).casefold() not in question.casefold()
