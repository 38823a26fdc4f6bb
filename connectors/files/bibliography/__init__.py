"""Bibliographies as files: BibTeX and CSL-JSON, an entry at a time."""
