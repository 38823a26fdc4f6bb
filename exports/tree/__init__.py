"""Reports as Pandoc's document tree, for HTML, DOCX, LaTeX and PDF."""
