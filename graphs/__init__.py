"""Wiring: one compiled graph a file."""
