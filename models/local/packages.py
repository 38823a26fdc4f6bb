"""Whether what runs local models is installed; nothing of it is imported to find that out."""

from importlib.util import find_spec

from schema.errors import InputError

PACKAGES = ("onnxruntime", "tokenizers", "huggingface_hub")


def are_packages_installed() -> bool:
    """Whether the extra `local` is there."""
    return all(find_spec(name) for name in PACKAGES)


def require_packages(name: str) -> None:
    """See to it that a local model can run.

    Raises:
        InputError: the extra `local` is not installed.
    """
    if not are_packages_installed():
        raise InputError(f"The model {name} runs on this machine: pip install 'quire[local]'.")
