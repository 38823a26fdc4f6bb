"""A report on the pages of a made website, bound and saved as a run does it."""

from collections.abc import Sequence

from benchmarks.measures.drift import Page, Site


async def write_town_report(site: Site, pages: Sequence[Page]) -> bytes:
    """The bundle of a report that cites each page once; sections of ten sentences."""
    from citations.check import check_sentences
    from citations.evidence_span import SourcePassages
    from connectors.page_fetcher import fetch_page
    from connectors.web_cache import save_pages
    from library.library import open_library
    from library.saved_reports import RunStart, SectionMaterial
    from nodes.common import citations as binding
    from schema.report import Audit, Citation, Report, ReportSection
    from serving.bundles import export_saved

    library = await open_library("towns")
    fetched = [await fetch_page(f"{site.url}{one.path}", seconds=20) for one in pages]
    saved = await save_pages(library, [one.document for one in fetched])
    ids = [saved.documents[one.document.uri] for one in fetched]
    described = await library.load_documents(ids)
    layouts = await library.load_layouts(ids)
    registry = {n: described[one] for n, one in enumerate(ids, start=1)}
    sections, material, found = list[ReportSection](), list[SectionMaterial](), list[Citation]()
    for first in range(0, len(pages), 10):
        numbers = range(first + 1, min(first + 10, len(pages)) + 1)
        text = " ".join(f"{pages[n - 1].cited[:-1]} [{n}]." for n in numbers)
        chunks = [one.chunk for n in numbers for one in layouts[ids[n - 1]]]
        passages = await library.load_passages(chunks)
        read = {
            n: SourcePassages(
                [p for p in passages.values() if p.document == ids[n - 1]],
                "en",
                (registry[n].title, registry[n].author, registry[n].site, registry[n].published),
            )
            for n in numbers
        }
        place, title = len(sections), f"Towns from {first + 1}"
        subject = f"What is told of the towns?\n\n{title}"
        checked = check_sentences(text, read, "en", subject)
        by_document = {ids[n - 1]: source for n, source in read.items()}
        found += binding.build_citations(place, text, "en", registry, checked, by_document)
        sections.append(ReportSection(title=title, text=text))
        material.append(
            SectionMaterial(questions=["?"], chunks=chunks, read=len(chunks), subject=subject)
        )
    texts = await binding.load_cited_texts(library, found, registry)
    cited = [binding.place_citation(one, texts[one["document"]]) for one in found]
    totals = binding.count_totals([one["text"] for one in sections], cited, [], [], "en")
    begun = await library.begin_report(
        "What is told of the towns?", RunStart(context={}, skipped=[])
    )
    report = Report(
        id=begun.id,
        version=1,
        question=begun.question,
        title="The towns of the valley",
        language="en",
        sections=sections,
        references=[binding.build_reference(n, one) for n, one in registry.items()],
        citations=cited,
        conflicts=[],
        charts=[],
        audit=Audit(**{**dict.fromkeys(Audit.__annotations__, 0), **totals}),  # type: ignore[typeddict-item]
        degraded=[],
        further_questions=[],
        usage={},
    )
    await library.save_report(report, material, begun.thread, begun.run)
    return await export_saved(begun.id, "bundle")
