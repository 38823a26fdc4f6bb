"""What opens a door is shown once; of it only a hash is kept."""

import hashlib
import secrets


def make_secret() -> str:
    """256 random bits, of letters, digits, - and _."""
    return secrets.token_urlsafe(32)


def hash_secret(secret: str) -> bytes:
    """What is kept of a secret. It cannot be guessed, so that a quick hash is enough."""
    return hashlib.sha256(secret.encode()).digest()
