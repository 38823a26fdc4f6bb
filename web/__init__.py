"""Quire over HTTP: the page, and the protocols that other tools speak."""
