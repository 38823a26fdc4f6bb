from pathlib import Path

import pytest

from connectors.files.xml import get_element_text, parse_xml
from schema.errors import ConnectorError


def test_text_is_one_paragraph_without_markup_and_comments() -> None:
    head = b"\n<?xml version='1.0' encoding='ISO-8859-1'?>"
    root = parse_xml(head + b"<a>H<b>2</b>O \n is<!-- not --><?not so?> w\xe4t</a>", "X")
    assert get_element_text(root) == "H2O is wät"
    assert get_element_text(root.find("c")) == ""


def test_no_entity_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("do not tell")
    entities = f'<!ENTITY file SYSTEM "{secret.as_uri()}"><!ENTITY word "laugh">'
    more = '<!ENTITY words "&word;&word;&word;&word;">'
    root = parse_xml(f"<!DOCTYPE a [{entities}{more}]><a>I &file; &words;</a>".encode(), "X")
    assert "tell" not in get_element_text(root)
    assert "laugh" not in get_element_text(root)


@pytest.mark.parametrize("answer", [b"", b"{}", b"<a>", b"<a>\xff</a>", b"<a>&lost;</b>"])
def test_what_is_no_xml_is_a_failure(answer: bytes) -> None:
    with pytest.raises(ConnectorError, match="X's answer could not be read"):
        parse_xml(answer, "X")
