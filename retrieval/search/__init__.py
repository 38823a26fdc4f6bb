"""Scoring, fusing and choosing what a search returns."""
