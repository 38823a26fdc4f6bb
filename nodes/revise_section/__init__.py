"""The steps that only the revision of a section has."""
