"""Where a document stands in the library's tree."""


def join_tree_path(*names: str) -> str:
    """A path of folders and a last name; a slash inside of a name is none between two."""
    return "/".join(name.replace("/", "∕").strip() or "-" for name in names)
