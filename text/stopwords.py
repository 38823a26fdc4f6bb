"""Function words: the closed classes of a language, which carry grammar and no subject.

English stands here, since the list of the `stop-words` package holds a thousand words of content
("index", "research", "computer"). For other languages the package's lists are what we need.
"""

from functools import cache

import stop_words

_ENGLISH = frozenset(
    """
a an the this that these those such same some any each every either neither no none not nor both all
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself
she her hers herself it its itself they them their theirs themselves one
who whom whose which what when where why how whether
is am are was were be been being isn't aren't wasn't weren't do does did doing done don't doesn't
didn't have has had having haven't hasn't hadn't will would shall should can could may might must
ought cannot can't couldn't won't wouldn't shouldn't mustn't let let's
and or but if then else than as because since while until unless although though so yet
of at by for with about against between into through during before after above below to from up
down in out on off over under again further onto upon within without toward towards among per via
there here now just only also too very more most less least much many few other another own
i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd we'd they'd
i'll you'll he'll she'll we'll they'll that's who's what's here's there's when's where's why's how's
""".split()  # noqa: SIM905  (a list would take a page)
)

_CHINESE = (
    "的了是在和与或及也都就而着过吗呢吧啊么什哪谁几怎为何之其这那个们我你他她它被把从到对于以等所并但则"
    "即若因由使让给向往比很最更太还又再才只已将会能可要想应该每各某另些样多少"
)
_JAPANESE = "のはがをにでともへやかなたてしれるすますいうこそあっよりからまで何"


@cache
def load_stopwords(language: str) -> frozenset[str]:
    """Function words of a language as they are written, in lower case; empty if none are known."""
    if language == "en":
        return _ENGLISH
    try:
        return frozenset(word.casefold() for word in stop_words.get_stop_words(language))
    except stop_words.StopWordError:
        return frozenset()


def get_stop_characters(language: str) -> frozenset[str]:
    """Characters that mostly make function words, of languages written without spaces."""
    return frozenset({"zh": _CHINESE, "ja": _JAPANESE}.get(language, ""))
