"""The steps of one section."""
