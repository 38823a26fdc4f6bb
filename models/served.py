"""What a process finds out about a model at its address, and keeps for its later calls."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from schema.settings import get_settings

Origin = Literal["told", "server", "profile", "learnt"]

LEAST_WINDOW = 900
"""Tokens: what a server reports to have read of a longer prompt is no cut below this.

The smallest default of servers in use is 2,048, of which some keep half.
"""

LEAST_MEASURED = 1_000
"""Estimated tokens of a prompt that says how estimates differ from counts.

In shorter ones, what a server puts before them would weigh too much.
"""

NEAR = 4
"""Tokens by which what is left of a cut prompt differs from the window, or from half of it."""

USUAL_WINDOWS = (2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072)

FEWEST_PER_CHARACTER = 0.15
"""Tokens of a character of any text, in the largest vocabularies."""

_LIMITS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"n_ctx\W{1,4}(\d{3,9})",
        r"(?:context|model) (?:length|window|size)\D{0,40}(\d{3,9})",
        r"> (\d{3,9}) maximum",
        r"tokens allowed \((\d{3,9})\)",
    )
)
_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|prompt is too long|"
    r"context (?:length|window|size)|maximum model length",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Window:
    """How many tokens a model reads at once, its answer included, and where that is known from.

    `passing` says that it is a guess which holds until the server has loaded the model.
    """

    tokens: int
    origin: Origin
    source: str
    passing: bool = False


@dataclass(frozen=True)
class Size:
    """A prompt's size: tokens as estimated, and characters."""

    tokens: int
    characters: int


@dataclass
class Served:
    """A model at its address.

    Attributes:
        window: what was told, asked or looked up; None where nobody says.
        asked: how often the server was asked.
        learnt: what a cut or an error showed the window to be, where that is less.
    """

    window: Window | None = None
    asked: int = 0
    learnt: int | None = None
    _lowest: float | None = field(default=None, repr=False)
    _highest: float | None = field(default=None, repr=False)
    _largest: tuple[int, Size | None] = field(default=(0, None), repr=False)
    _counts_low: bool = field(default=False, repr=False)
    _ceilings: list[int] = field(default_factory=list, repr=False)

    @property
    def known_window(self) -> Window | None:
        """The window that prompts are built to."""
        told = self.window
        if self.learnt is None or (told and told.tokens <= self.learnt):
            return told
        return Window(self.learnt, "learnt", "a prompt that was cut or refused")

    @property
    def is_window_doubtful(self) -> bool:
        """Whether one cut alone shows the window: a count may be as large as one by chance."""
        return self.learnt is not None and self._ceilings.count(self.learnt) == 1

    @property
    def factor(self) -> float:
        """What an estimate is multiplied with, to be no less than what the server counts.

        A tenth more than it ever was; a quarter more where nothing was counted yet.
        """
        return 1.25 if self._highest is None else 1.1 * max(1.0, self._highest)

    def doubt_window(self, reported: int) -> None:
        """Take back a doubtful window that a count goes beyond."""
        if self.learnt and self.is_window_doubtful and reported > self.learnt + NEAR:
            self.learnt = None

    def note_whole(self, sent: Size, reported: int) -> None:
        """Learn how the server's count of a prompt that it read whole differs from the estimate."""
        if reported > self._largest[0]:
            self._largest = reported, sent
        if sent.tokens < LEAST_MEASURED or reported < 1:
            return
        ratio = min(3.0, reported / sent.tokens)
        self._highest = max(self._highest or ratio, ratio)
        if not _is_foreign(sent):  # whose estimate is far above what new vocabularies need
            self._lowest = min(self._lowest or ratio, ratio)

    def is_cut(self, sent: Size, reported: int) -> bool:
        """Whether the server seems to have read less of a prompt than was sent.

        It does where what it counts fills the window that it named, or half of it. Where it named
        none, also where the count is to the token one of the usual windows, the most that it ever
        counted of a prompt of another size, or far less than expected. No window is smaller than a
        prompt that was read whole.
        """
        if reported < LEAST_WINDOW:
            return False
        window = self.known_window
        if window and not window.passing:
            if reported >= window.tokens - NEAR:
                return True
            if window.origin == "server":
                is_half = 0 <= reported - window.tokens // 2 <= NEAR
                return is_half and sent.tokens * self.factor > 0.6 * window.tokens
        if window and window.origin == "profile" and not get_settings().openai_base_url:
            return False  # a provider of its own keeps to what it says
        largest, size = self._largest
        if sent.tokens * self.factor > reported and (
            self._is_usual(sent, reported)
            or (reported == largest and size and abs(sent.tokens - size.tokens) > NEAR)
        ):
            return True
        fewest = FEWEST_PER_CHARACTER * sent.characters
        if self._lowest and not _is_foreign(sent):
            fewest = max(fewest, 0.85 * self._lowest * sent.tokens)
        return not self._counts_low and reported < fewest

    def _is_usual(self, sent: Size, reported: int) -> bool:
        """Whether a count is a usual window, or half of one that the prompt may go beyond."""
        largest, most = self._largest[0], sent.tokens * self.factor
        return any(
            (-NEAR <= reported - whole <= 1 and largest <= reported + NEAR)
            or (0 <= reported - whole // 2 <= NEAR and largest <= whole < most)
            for whole in USUAL_WINDOWS
        )

    def note_cut(self, sent: Size, reported: int) -> None:
        """Learn the window from a cut.

        Where it is known, the estimate was too low: some servers keep half of the window then.
        """
        self._ceilings.append(reported)
        window = self.known_window
        if window and not window.passing and reported >= window.tokens // 2 - NEAR:
            self._highest = max(self._highest or 1.0, 1.1 * window.tokens / max(1, sent.tokens))
            return
        self.learn_window(reported)

    def review_cut(
        self, cut: tuple[Size, int], smaller: tuple[Size, int], learnt: int | None
    ) -> None:
        """Take back a cut where a smaller prompt is counted just as low: it is how they count.

        A count that came twice is a window all the same.

        Args:
            cut: what was sent first, and what the server counted.
            smaller: what was sent then, and what the server counted.
            learnt: what `learnt` was before.
        """
        (first, reported), (second, counted) = cut, smaller
        same = counted / max(1, second.tokens) < 1.08 * reported / max(1, first.tokens)
        if same and self._ceilings.count(reported) < 2:
            self.learnt = learnt
            self._counts_low |= reported < FEWEST_PER_CHARACTER * first.characters
            self.note_whole(first, reported)

    def learn_window(self, tokens: int) -> None:
        """Take a window that showed itself, where it is smaller than the one that is known."""
        self.learnt = min(self.learnt or tokens, max(LEAST_WINDOW, tokens))

    def learn_from_error(self, error: BaseException, sent: Size) -> bool:
        """Whether an error says that the prompt was too long; the window is then known."""
        if not is_too_long(error):
            return False
        text = " ".join(_iterate_texts(error))
        found = [int(match[1]) for one in _LIMITS for match in one.finditer(text)]
        fitting = [tokens for tokens in found if tokens <= 2 * sent.tokens]
        before = self.known_window
        self.learn_window(min(fitting) if fitting else round(0.6 * sent.tokens))
        if before and self.known_window == before:  # it fits by our count, and not by the server's
            self._highest = 1.25 * max(1.0, self._highest or 1.0)
        return True


_served: dict[tuple[str, str], Served] = {}


def get_served(model: str) -> Served:
    """What this process knows of a model (`provider:model`) at the address that is set now."""
    return _served.setdefault((model, get_address(model)), Served())


def get_address(model: str) -> str:
    """The base URL that an `openai:` model is asked at; "" for the provider's own."""
    address = get_settings().openai_base_url if model.startswith("openai:") else None
    return (address or "").rstrip("/")


def is_too_long(error: BaseException | None) -> bool:
    """Whether an error of a server speaks of a prompt that is longer than the window."""
    return any(_TOO_LONG.search(text) for text in _iterate_texts(error))


def _is_foreign(sent: Size) -> bool:
    """Whether much of a text is in no Latin letters."""
    return sent.tokens > 0.3 * sent.characters


def _iterate_texts(error: BaseException | None) -> Iterator[str]:
    while error is not None:
        yield str(error)
        error = error.__cause__
