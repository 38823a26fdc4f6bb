"""Classes that are found by name: our own, and those of other packages."""

import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from schema.errors import InputError


class Plugins:
    """The plugins of one kind.

    Args:
        kind: what one is called, as in "connector".
        built_in: `module:Class` by name.
    """

    def __init__(self, kind: str, built_in: Mapping[str, str]) -> None:
        self._kind = kind
        self._built_in = built_in

    def list_names(self) -> list[str]:
        """Every one there is, usable or not."""
        return sorted({*self._built_in, *(found.name for found in self._find_installed())})

    def make(self, name: str) -> Any:
        """A new one of this name.

        Raises:
            InputError: there is none, with those that there are; or its package is broken.
        """
        if name in self._built_in:
            module, _, attribute = self._built_in[name].partition(":")
            return getattr(import_module(module), attribute)()
        for found in self._find_installed():
            if found.name == name:
                return self._load(found)
        known = ", ".join(self.list_names())
        raise InputError(f"There is no {self._kind} '{name}': use one of {known}.")

    def _find_installed(self) -> tuple[EntryPoint, ...]:
        return _read_entry_points(f"quire.{self._kind}s", tuple(sys.path))

    def _load(self, found: EntryPoint) -> Any:
        try:
            return found.load()()
        except Exception as error:
            raise InputError(
                f"The {self._kind} '{found.name}' cannot be loaded ({type(error).__name__}: "
                f"{error}): repair or uninstall the package that brings it."
            ) from error


@lru_cache(maxsize=8)
def _read_entry_points(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:  # noqa: ARG001
    """What other packages on the path declare. Looking through all that is installed takes 7 ms."""
    return tuple(entry_points(group=group))
