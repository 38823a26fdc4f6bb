"""Pages as a deep search knows them, for properties."""

from typing import Literal

from hypothesis import strategies as st

from retrieval.web.frontier import create_page, merge_pages
from schema.deep_search import Page

Status = Literal["read", "failed"]
WORD = st.sampled_from(["Larkfield", "the mill", "产量", "of 1912", "museum"])

urls = st.builds(
    "{}{}/{}{}".format,
    st.sampled_from(["https://", "http://", "https://www."]),
    st.sampled_from(["a.test", "b.test", "x.com"]),
    st.sampled_from(["", "1", "2", "docs/1", "docs/2"]),
    st.sampled_from(["", "/", "#part", "?utm_source=a"]),
)
dates = st.sampled_from(["", "2024-05-01", "2025-01-31"])
opened = st.builds(
    create_page,
    urls,
    WORD,
    query=st.sampled_from(["", "q1", "q2"]),
    page=st.sampled_from(["", "https://c.test/", "https://a.test/1", "https://b.test/"]),
    day=dates,
)


def visited(page: Page, status: Status = "read", day: str = "", confidence: float = 0.0) -> Page:
    """A page after somebody tried to read it."""
    return {**page, "status": status, "updated": day, "confidence": confidence if day else 0.0}


closed = st.builds(
    visited,
    opened,
    st.sampled_from(["read", "failed"]),
    dates,
    st.sampled_from([0.0, 0.3, 0.9]),
)
pages = st.lists(opened | closed, max_size=12).map(lambda some: merge_pages([], some))
