"""Long stretches of text in portions, for what takes the square of a stretch's length."""

from collections.abc import Iterator

_BOUNDARIES = ("\n\n", "\n", ". ", "。", " ")
"""What a portion best ends with, first to last."""


def split_portions(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """Cut `text[start:end]` into portions of at most `longest` characters.

    Each ends after a paragraph, else a line, a sentence, a word: what ends in its second half.

    Returns:
        (start, end) of each, side by side.
    """
    while end - start > longest:
        late, latest = start + longest // 2, start + longest
        ends = (text.rfind(boundary, late, latest) + len(boundary) for boundary in _BOUNDARIES)
        cut = next((at for at in ends if at > late), latest)
        yield start, cut
        start = cut
    yield start, end
