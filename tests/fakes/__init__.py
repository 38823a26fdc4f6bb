"""Loopback servers that stand in for the outside services in tests."""
