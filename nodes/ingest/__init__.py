"""The steps that bring sources into the library."""
