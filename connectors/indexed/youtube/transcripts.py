"""The transcript of a video, through youtube-transcript-api, which blocks."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from connectors.http import client as http
from connectors.http.errors import bad_response_error, http_error
from schema.errors import ConnectorError

BASE_URL = "https://www.youtube.com"

PARAGRAPH, MINUTE = 600, 60.0
"""Characters, or seconds, after which the next paragraph begins, with its own time."""

_REASONS = {
    "AgeRestricted": "it is only shown to adults who are signed in",
    "InvalidVideoId": "there is no such video any more",
    "NoTranscriptFound": "it has no transcript",
    "PoTokenRequired": "YouTube gives its transcript to its own player only",
    "TranscriptsDisabled": "it has no transcript",
    "VideoUnavailable": "there is no such video any more",
    "VideoUnplayable": "it cannot be played",
    "YouTubeDataUnparsable": "YouTube's answer could not be read",
}
"""What the library's errors say of one video."""


class NoTranscriptError(Exception):
    """The video has none that can be had; the message says why.

    Attributes:
        absent: Whether there is no such video any more.
    """

    def __init__(self, why: str, *, absent: bool = False) -> None:
        super().__init__(why)
        self.absent = absent


@dataclass(frozen=True)
class Transcript:
    """What is said in a video, in paragraphs that begin with their time."""

    text: str
    language: str


def read_transcript(video: str, base: str) -> Transcript:
    """Ask YouTube for a video's transcript in the language that is spoken.

    Args:
        video: its id.
        base: where YouTube is.

    Raises:
        NoTranscriptError: this video has none that can be had.
        ConnectorError: YouTube did not answer, or not to us.
    """
    import requests  # noqa: PLC0415  (the extra brings both)
    import youtube_transcript_api as library  # noqa: PLC0415

    try:
        with requests.Session() as session:
            _confine_session(session, base)
            chosen = _choose_transcript(
                list(library.YouTubeTranscriptApi(http_client=session).list(video))
            )
            text = _join_paragraphs((one.start, one.text) for one in chosen.fetch())
    except library.YouTubeTranscriptApiException as error:
        raise _translate_error(error) from None
    except requests.Timeout:
        message = "YouTube did not answer in time"
        raise ConnectorError(message, code="connector_timeout", retryable=True) from None
    except (ValueError, LookupError, TypeError, AttributeError, SyntaxError):
        raise NoTranscriptError(str(bad_response_error("YouTube"))) from None
    except requests.RequestException as error:
        message = f"YouTube could not be reached ({type(error).__name__})"
        raise ConnectorError(message, retryable=True) from None
    if not text:
        raise NoTranscriptError("nothing is said in it")
    return Transcript(text, _strip_region(chosen.language_code))


def _confine_session(session: Any, base: str) -> None:
    """Let a session ask for YouTube's addresses only, where YouTube is, and not for ever."""
    ask = session.request

    def request(method: str, url: str, **how: Any) -> Any:
        if not url.startswith(f"{BASE_URL}/"):
            raise ValueError("an address of somebody else's")
        return ask(method, base + url.removeprefix(BASE_URL), timeout=http.SECONDS, **how)

    session.request = request


def _choose_transcript(transcripts: list[Any]) -> Any:
    """The one that people wrote in the language of the video, else the one that was recognised.

    Speech is recognised in the language that is spoken; without that, what people wrote first is
    taken. The list begins with what they wrote.
    """
    if not transcripts:
        raise NoTranscriptError(_REASONS["NoTranscriptFound"])
    spoken = {_strip_region(one.language_code) for one in transcripts if one.is_generated}
    return next(
        (one for one in transcripts if _strip_region(one.language_code) in spoken), transcripts[0]
    )


def _strip_region(language: str) -> str:
    return language.partition("-")[0].casefold()


def _join_paragraphs(snippets: Iterable[tuple[float, str]]) -> str:
    paragraphs: list[str] = []
    begun = 0.0
    for start, text in snippets:
        words = " ".join(text.split())
        if not words:
            continue
        if paragraphs and len(paragraphs[-1]) < PARAGRAPH and start - begun < MINUTE:
            paragraphs[-1] += f" {words}"
        else:
            begun, seconds = start, int(start)
            stamp = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
            paragraphs.append(f"[{stamp}] {words}")
    return "\n\n".join(paragraphs)


def _translate_error(error: Exception) -> NoTranscriptError | ConnectorError:
    """What the library's error means. Its own words are a page long."""
    name = type(error).__name__
    if why := _REASONS.get(name):
        given = " ".join(str(getattr(error, "reason", "") or "").split())[:160]
        absent = name in ("InvalidVideoId", "VideoUnavailable")
        return NoTranscriptError(f"{why} ({given})" if given else why, absent=absent)
    if name == "IpBlocked":
        return ConnectorError(
            "YouTube's rate limit was hit", code="connector_limit", retryable=True
        )
    if name == "RequestBlocked":
        return ConnectorError(
            "YouTube takes this machine for a bot: sync from another network",
            code="connector_refused",
        )
    answer = getattr(error.__context__, "response", None)  # of what requests raised
    if answer is None:
        return ConnectorError(f"YouTube refused to give a transcript ({name})")
    refused = http_error("YouTube", "", answer.status_code, answer.headers)
    if refused.code in ("connector_absent", "connector_refused"):
        return NoTranscriptError(str(refused), absent=refused.code == "connector_absent")
    return refused
