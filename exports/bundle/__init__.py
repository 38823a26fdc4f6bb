"""A report with its proof in one file, which is checked again without the library it came from."""
