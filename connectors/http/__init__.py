"""Asking over the network: one way to fail, to wait and to try again."""
