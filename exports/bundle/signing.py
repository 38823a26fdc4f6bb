"""Signing a bundle with an Ed25519 key of the user's, and checking who signed one."""

import base64
import binascii
from hashlib import sha256
from pathlib import Path
from typing import Any

from exports.bundle.parts import Signature
from schema.errors import InputError

PREFIX = b"quire-bundle 1\n"
"""Stands before the manifest in what is signed: the signature fits nothing else."""

_MOST_KEY_BYTES = 100_000
_NEEDS = "Signatures need a package more: pip install cryptography"


def sign(manifest: bytes, key_file: Path) -> Signature:
    """Sign a manifest.

    Args:
        manifest: its bytes.
        key_file: a private key in PEM (`openssl genpkey -algorithm ed25519`) or OpenSSH's form
            (`ssh-keygen -t ed25519 -N ""`), without a password.

    Raises:
        InputError: it holds no such key, or the package is missing.
    """
    try:
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
            Ed25519PrivateKey,
        )
    except ModuleNotFoundError as error:
        raise InputError(_NEEDS) from error
    data = _read_key(key_file)
    is_ssh = b"OPENSSH PRIVATE KEY" in data
    load: Any = serialization.load_ssh_private_key if is_ssh else serialization.load_pem_private_key
    key = _load_key(lambda: load(data, password=None), key_file)
    if not isinstance(key, Ed25519PrivateKey):
        raise _make_key_error(key_file)
    return Signature(
        algorithm="ed25519",
        public_key=base64.b64encode(key.public_key().public_bytes_raw()).decode(),
        signature=base64.b64encode(key.sign(PREFIX + manifest)).decode(),
    )


def is_signed_well(manifest: bytes, signature: Signature) -> bool:
    """Whether the key that a signature names made it.

    Raises:
        InputError: the package is missing.
    """
    try:
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
            Ed25519PublicKey,
        )
    except ModuleNotFoundError as error:
        raise InputError(_NEEDS) from error
    try:
        key = base64.b64decode(signature["public_key"], validate=True)
        signed = base64.b64decode(signature["signature"], validate=True)
        Ed25519PublicKey.from_public_bytes(key).verify(signed, PREFIX + manifest)
    except (InvalidSignature, ValueError, binascii.Error):
        return False
    return True


def name_key(public_key: str) -> str:
    """The fingerprint of a public key, in the form of `ssh-keygen -l`."""
    try:
        raw = base64.b64decode(public_key, validate=True)
    except (ValueError, binascii.Error):
        return "no key"
    kind = b"ssh-ed25519"
    blob = len(kind).to_bytes(4) + kind + len(raw).to_bytes(4) + raw
    return "SHA256:" + base64.b64encode(sha256(blob).digest()).decode().rstrip("=")


def read_public_key(key_file: Path) -> str:
    """The public key of a file in PEM or OpenSSH's form, as `Signature` holds it.

    Raises:
        InputError: it holds none, or the package is missing.
    """
    try:
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
            Ed25519PublicKey,
        )
    except ModuleNotFoundError as error:
        raise InputError(_NEEDS) from error
    data = _read_key(key_file)
    is_ssh = data.lstrip().startswith(b"ssh-")
    load: Any = serialization.load_ssh_public_key if is_ssh else serialization.load_pem_public_key
    key = _load_key(lambda: load(data), key_file)
    if not isinstance(key, Ed25519PublicKey):
        raise _make_key_error(key_file)
    return base64.b64encode(key.public_bytes_raw()).decode()


def _read_key(key_file: Path) -> bytes:
    try:
        with key_file.open("rb") as file:
            return file.read(_MOST_KEY_BYTES)
    except OSError as error:
        raise InputError(f"The key {key_file} could not be read ({error.strerror}).") from error


def _load_key(load: Any, key_file: Path) -> Any:
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415

    try:
        return load()
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise _make_key_error(key_file) from error


def _make_key_error(key_file: Path) -> InputError:
    return InputError(
        f"{key_file} holds no Ed25519 key without a password, in PEM or OpenSSH's form."
    )
