"""Websites and their APIs, on loopback."""
