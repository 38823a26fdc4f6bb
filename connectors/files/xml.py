"""XML from the network: no entity is read, no DTD loaded, nothing fetched on its behalf."""

from typing import Any

from lxml import etree

from connectors.http.errors import bad_response_error


def parse_xml(answer: bytes, provider: str) -> Any:
    """The root element of a provider's answer.

    Raises:
        ConnectorError: it is no XML.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        return etree.fromstring(answer.strip(), parser)
    except etree.XMLSyntaxError:
        raise bad_response_error(provider) from None


def get_element_text(element: Any) -> str:
    """All text in an element as one paragraph; "" where there is no element."""
    return "" if element is None else " ".join("".join(element.itertext()).split())
