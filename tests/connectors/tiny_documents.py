"""The smallest documents of each format that say SENTENCE, written by hand."""

import io
import zipfile
from email.message import EmailMessage

SENTENCE = "Turbines feed the grid."
TITLE, AUTHOR, DATE = "Wind title", "Ada Gale", "2024-05-01"

_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_OPEN = "urn:oasis:names:tc:opendocument:xmlns"
_DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
_CORE = (
    f'<p:coreProperties xmlns:p="{_PACKAGE}/metadata/core-properties" {_DC} '
    'xmlns:t="http://purl.org/dc/terms/" xmlns:x="http://www.w3.org/2001/XMLSchema-instance">'
    f"<dc:title>{TITLE}</dc:title><dc:creator>{AUTHOR}</dc:creator>"
    f'<t:created x:type="t:W3CDTF">{DATE}T10:00:00Z</t:created></p:coreProperties>'
)


def zipped(parts: dict[str, str]) -> bytes:
    """A zip archive of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def docx() -> bytes:
    name = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = f"<w:body><w:p><w:r><w:t>{SENTENCE}</w:t></w:r></w:p></w:body>"
    return _office("word/document.xml", {}, f'<w:document xmlns:w="{name}">{body}</w:document>')


def pptx() -> bytes:
    names = (
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="'
        f'{_OFFICE}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
    )
    shape = f"<p:sp><p:txBody><a:p><a:r><a:t>{SENTENCE}</a:t></a:r></a:p></p:txBody></p:sp>"
    parts = {
        "ppt/_rels/presentation.xml.rels": _relations({f"{_OFFICE}/slide": "slides/slide1.xml"}),
        "ppt/slides/slide1.xml": f"<p:sld {names}><p:cSld><p:spTree>{shape}</p:spTree></p:cSld>"
        "</p:sld>",
    }
    slides = '<p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst>'
    main = f"<p:presentation {names}>{slides}</p:presentation>"
    return _office("ppt/presentation.xml", parts, main)


def xlsx() -> bytes:
    name = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    cells = f'<c r="A1" t="inlineStr"><is><t>{SENTENCE}</t></is></c><c r="B1"><v>42</v></c>'
    sheet = f'<worksheet xmlns="{name}"><sheetData><row r="1">{cells}</row></sheetData></worksheet>'
    parts = {
        "xl/_rels/workbook.xml.rels": _relations({f"{_OFFICE}/worksheet": "worksheets/one.xml"}),
        "xl/worksheets/one.xml": sheet,
    }
    sheets = '<sheets><sheet name="Power" sheetId="1" r:id="r1"/></sheets>'
    main = f'<workbook xmlns="{name}" xmlns:r="{_OFFICE}">{sheets}</workbook>'
    return _office("xl/workbook.xml", parts, main)


def epub() -> bytes:
    metadata = (
        f'<metadata {_DC}><dc:identifier id="i">x</dc:identifier><dc:title>{TITLE}</dc:title>'
        f"<dc:creator>{AUTHOR}</dc:creator><dc:date>{DATE}</dc:date></metadata>"
    )
    manifest = '<manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>'
    container = '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/>'
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": f'<container version="1.0" xmlns="{_OPEN}:container">'
            f"<rootfiles>{container}</rootfiles></container>",
            "book.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
            f'unique-identifier="i">{metadata}{manifest}</manifest>'
            '<spine><itemref idref="c"/></spine></package>',
            "c.xhtml": f'<html xmlns="http://www.w3.org/1999/xhtml"><body><p>{SENTENCE}</p></body>'
            "</html>",
        }
    )


def odt() -> bytes:
    names = f'xmlns:o="{_OPEN}:office:1.0" xmlns:t="{_OPEN}:text:1.0" xmlns:m="{_OPEN}:meta:1.0"'
    text = f"<o:body><o:text><t:p>{SENTENCE}</t:p></o:text></o:body>"
    meta = (
        f"<dc:title>{TITLE}</dc:title><m:initial-creator>{AUTHOR}</m:initial-creator>"
        f"<dc:creator>{AUTHOR}</dc:creator><m:creation-date>{DATE}T10:00:00</m:creation-date>"
    )
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<o:document-content {names}>{text}</o:document-content>",
            "meta.xml": f"<o:document-meta {names} {_DC}><o:meta>{meta}</o:meta></o:document-meta>",
        }
    )


def ods(cells: int = 1) -> bytes:
    """A spreadsheet; it says its cell so many times in a row, and the row as often, in a word."""
    names = (
        f'xmlns:office="{_OPEN}:office:1.0" xmlns:text="{_OPEN}:text:1.0" '
        f'xmlns:table="{_OPEN}:table:1.0"'
    )
    cell = (
        f'<table:table-cell office:value-type="string" table:number-columns-repeated="{cells}">'
        f"<text:p>{SENTENCE}</text:p></table:table-cell>"
    )
    row = f'<table:table-row table:number-rows-repeated="{cells}">{cell}</table:table-row>'
    sheet = f'<table:table table:name="Power">{row}</table:table>'
    body = f"<office:spreadsheet>{sheet}</office:spreadsheet>"
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{_OPEN}:manifest:1.0"/>',
            "content.xml": f"<office:document-content {names}><office:body>{body}</office:body>"
            "</office:document-content>",
        }
    )


def eml() -> bytes:
    message = EmailMessage()
    message["Subject"] = TITLE
    message["From"] = f"{AUTHOR} <ada@a.test>"
    message["Date"] = "Wed, 01 May 2024 10:00:00 +0000"
    message.set_content(SENTENCE)
    return bytes(message)


def rtf() -> bytes:
    said = rf"{{\info{{\title {TITLE}}}{{\author {AUTHOR}}}{{\creatim\yr2024\mo5\dy1}}}}"
    return rf"{{\rtf1\ansi{said}{SENTENCE}\par}}".encode()


def pdf() -> bytes:
    drawn = f"BT /F1 24 Tf 72 700 Td ({SENTENCE}) Tj ET"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        "/Resources<</Font<</F1 5 0 R>>>>>>",
        f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        f"<</Title({TITLE})/Author({AUTHOR})/CreationDate(D:20240501100000Z)>>",
    ]
    out, table = "%PDF-1.4\n", f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"
    for number, content in enumerate(objects, start=1):
        table += f"{len(out):010d} 00000 n \n"
        out += f"{number} 0 obj{content}endobj\n"
    trailer = f"trailer<</Size {len(objects) + 1}/Root 1 0 R/Info 6 0 R>>\n"
    return f"{out}{table}{trailer}startxref\n{len(out)}\n%%EOF".encode()


def html() -> bytes:
    head = (
        f'<title>{TITLE}</title><meta name="author" content="{AUTHOR}">'
        f'<meta property="article:published_time" content="{DATE}T08:00:00Z">'
        '<meta property="og:site_name" content="Energy Times">'
    )
    article = (
        f"<h1>{TITLE}</h1><p>{SENTENCE} The power comes from the coast, where wind is steady.</p>"
        "<h2>Blades</h2><p>A blade turns because air moves faster above it than below it.</p>"
    )
    return (
        f"<!doctype html><html><head>{head}</head><body>"
        '<nav><a href="/">Home page</a> <a href="/about">About our company</a></nav>'
        f"<main><article>{article}</article></main>"
        "<footer><p>Footer Corporation, all rights reserved</p></footer></body></html>"
    ).encode()


def _office(main: str, parts: dict[str, str], content: str) -> bytes:
    kind = {"word": "wordprocessingml.document", "ppt": "presentationml.presentation"}.get(
        main.split("/", maxsplit=1)[0], "spreadsheetml.sheet"
    )
    types = (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" '
        f'ContentType="application/xml"/><Override PartName="/{main}" ContentType="'
        f'application/vnd.openxmlformats-officedocument.{kind}.main+xml"/></Types>'
    )
    core = f"{_PACKAGE}/relationships/metadata/core-properties"
    top = _relations({f"{_OFFICE}/officeDocument": main, core: "docProps/core.xml"})
    return zipped(
        {
            "[Content_Types].xml": types,
            "_rels/.rels": top,
            "docProps/core.xml": _CORE,
            main: content,
            **parts,
        }
    )


def _relations(targets: dict[str, str]) -> str:
    lines = "".join(
        f'<Relationship Id="r{number}" Type="{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets.items(), start=1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{lines}</Relationships>'
