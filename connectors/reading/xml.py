"""XML from the network: no entity is read, no DTD loaded, nothing fetched on its behalf."""

from typing import Any

from lxml import etree

from connectors.net.refusals import unreadable


def xml(answer: bytes, provider: str) -> Any:
    """The root element of a provider's answer.

    Raises:
        ConnectorError: it is no XML.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        return etree.fromstring(answer.strip(), parser)
    except etree.XMLSyntaxError:
        raise unreadable(provider) from None


def text_of(element: Any) -> str:
    """All text in an element as one paragraph; "" where there is no element."""
    return "" if element is None else " ".join("".join(element.itertext()).split())
