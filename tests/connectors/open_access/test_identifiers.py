"""Which work an address leads to."""

import pytest

from connectors.open_access.identifiers import Work, find_doi, find_stated_doi, find_work


@pytest.mark.parametrize(
    ("url", "work"),
    [
        ("https://doi.org/10.1038/S41586-020-2649-2", Work(doi="10.1038/s41586-020-2649-2")),
        ("https://dx.doi.org/10.1002%2Fjob.1787", Work(doi="10.1002/job.1787")),
        ("https://onlinelibrary.wiley.com/doi/full/10.1002/job.1787", Work(doi="10.1002/job.1787")),
        ("https://journals.test/doi/pdf/10.1002/job.1787.pdf?x=1", Work(doi="10.1002/job.1787")),
        ("https://link.test/article/10.1007/s00-1-2#Sec3", Work(doi="10.1007/s00-1-2")),
        ("https://pubmed.ncbi.nlm.nih.gov/31452104/", Work(pmid="31452104")),
        ("https://example.org/10/2024", None),
        ("file:///10.1002/job.1787", None),
        ("", None),
    ],
)
def test_a_work_is_found_in_its_address(url: str, work: Work | None) -> None:
    assert find_work(url) == work


def test_marks_behind_a_doi_are_none_of_it() -> None:
    assert find_doi("(see https://doi.org/10.1234/a.b).") == "10.1234/a.b"
    assert find_doi("10.1234/" + "a" * 300) == ""


def test_a_page_says_which_doi_is_its_own() -> None:
    head = '<meta name="citation_doi" content="doi:10.1234/Own"><a href="https://doi.org/10.9/x">'
    assert find_stated_doi(head) == "10.1234/own"
    assert find_stated_doi('<meta content="10.1234/b" name=citation_doi>') == "10.1234/b"
    assert find_stated_doi('<a href="https://doi.org/10.1234/other">') == ""
