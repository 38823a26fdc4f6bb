"""The programming languages whose symbols are read: one row each.

A query (tree-sitter's pattern language) captures what `retrieval.code.symbols` collects:

* a definition's whole node as its kind, with its own name as `@name`; Go's methods also hold
  their receiver's type as `@owner`. Of two patterns on one node the first counts.
* `@module` and `@impl`: what gives its name to the definitions inside, and is none itself.
* `@call`: the name of what is called. `@import`: the module or file that is imported.

A captured name that begins with `_` only serves a condition of its pattern.

Bash has no row: `tree-sitter-bash` 0.25 takes the process down at a rare character (U+10FFFF).
"""

from dataclasses import dataclass

_JAVASCRIPT = """
(class_declaration name: (_) @name) @class
(variable_declarator name: (identifier) @name value: (class)) @class
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(method_definition name: [(property_identifier) (private_property_identifier)] @name) @function
(variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression)]) @function
(assignment_expression left: (member_expression property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)]) @function
(call_expression function: [(identifier) @call (member_expression property: (_) @call)])
(new_expression constructor: [(identifier) @call (member_expression property: (_) @call)])
(import_statement source: (string) @import)
(export_statement source: (string) @import)
(call_expression function: (identifier) @_require arguments: (arguments . (string) @import)
  (#eq? @_require "require"))
"""
_JAVASCRIPT_FIELDS = """
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @function
"""
_TYPESCRIPT = f"""{_JAVASCRIPT}
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(type_alias_declaration name: (_) @name) @type
(method_signature name: (property_identifier) @name) @function
(abstract_method_signature name: (property_identifier) @name) @function
(public_field_definition name: (_) @name
  value: [(arrow_function) (function_expression)]) @function
(internal_module name: (_) @name) @module
(import_require_clause source: (string) @import)
"""
_C = """
(struct_specifier name: (_) @name body: (_)) @struct
(union_specifier name: (_) @name body: (_)) @struct
(enum_specifier name: (_) @name body: (_)) @enum
(type_definition type: (struct_specifier !name) declarator: (_) @name) @struct
(type_definition type: (enum_specifier !name) declarator: (_) @name) @enum
(function_definition declarator: (function_declarator declarator: (_) @name)) @function
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: (_) @name))) @function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator
  declarator: (function_declarator declarator: (_) @name)))) @function
(preproc_function_def name: (_) @name) @function
(call_expression function: [(identifier) @call (field_expression field: (_) @call)])
(preproc_include path: (_) @import)
"""
_PYTHON = """
(class_definition name: (_) @name) @class
(function_definition name: (_) @name) @function
(call function: [(identifier) @call (attribute attribute: (_) @call)])
(import_statement name: [(dotted_name) @import (aliased_import name: (_) @import)])
(import_from_statement module_name: (_) @import)
"""
_GO = """
(type_spec name: (_) @name type: (struct_type)) @struct
(type_spec name: (_) @name type: (interface_type)) @interface
(type_spec name: (_) @name) @type
(type_alias name: (_) @name) @type
(function_declaration name: (_) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (type_identifier) @owner
  (generic_type type: (_) @owner)
  (pointer_type (type_identifier) @owner)
  (pointer_type (generic_type type: (_) @owner))])) name: (_) @name) @function
(method_elem name: (_) @name) @function
(call_expression function: [(identifier) @call (selector_expression field: (_) @call)])
(import_spec path: (_) @import)
"""
_RUST = """
(struct_item name: (_) @name) @struct
(union_item name: (_) @name) @struct
(enum_item name: (_) @name) @enum
(trait_item name: (_) @name) @interface
(type_item name: (_) @name) @type
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(macro_definition name: (_) @name) @function
(mod_item name: (_) @name body: (_)) @module
(impl_item type: [(type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (scoped_type_identifier name: (_) @name)]) @impl
(call_expression function: [(identifier) @call
  (field_expression field: (_) @call)
  (scoped_identifier name: (_) @call)
  (generic_function function: [(identifier) @call
    (field_expression field: (_) @call)
    (scoped_identifier name: (_) @call)])])
(macro_invocation macro: [(identifier) @call (scoped_identifier name: (_) @call)])
(use_declaration argument: [(identifier) @import (scoped_identifier) @import
  (scoped_use_list path: (_) @import)
  (use_as_clause path: (_) @import)
  (use_wildcard (_) @import)])
(extern_crate_declaration name: (_) @import)
"""
_JAVA = """
(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(annotation_type_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(method_declaration name: (_) @name) @function
(constructor_declaration name: (_) @name) @function
(method_invocation name: (_) @call)
(object_creation_expression type: [(type_identifier) @call
  (generic_type (type_identifier) @call)
  (scoped_type_identifier (type_identifier) @call .)])
(import_declaration [(identifier) (scoped_identifier)] @import)
"""
_RUBY = """
(class name: (_) @name) @class
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(module name: (_) @name) @module
(call method: [(identifier) (constant)] @call)
(call method: (identifier) @_require arguments: (argument_list . (string) @import)
  (#any-of? @_require "require" "require_relative"))
"""
_CPP = f"""{_C}
(class_specifier name: (_) @name body: (_)) @class
(alias_declaration name: (_) @name) @type
(function_definition declarator: (reference_declarator
  (function_declarator declarator: (_) @name))) @function
(namespace_definition name: (_) @name) @module
(call_expression function: (qualified_identifier name: (identifier) @call))
(new_expression type: (type_identifier) @call)
"""


@dataclass(frozen=True, slots=True)
class Grammar:
    """Where a language's grammar is, and what of it is collected.

    `package` is the module on PyPI that holds it, `entry` the function in there. `extensions`
    are the ends of file names, without the dot.
    """

    package: str
    extensions: tuple[str, ...]
    query: str
    entry: str = "language"


GRAMMARS = {
    "python": Grammar("tree_sitter_python", ("py", "pyi", "pyw"), _PYTHON),
    "javascript": Grammar(
        "tree_sitter_javascript", ("js", "mjs", "cjs", "jsx"), f"{_JAVASCRIPT}{_JAVASCRIPT_FIELDS}"
    ),
    "typescript": Grammar(
        "tree_sitter_typescript", ("ts", "mts", "cts"), _TYPESCRIPT, "language_typescript"
    ),
    "tsx": Grammar("tree_sitter_typescript", ("tsx",), _TYPESCRIPT, "language_tsx"),
    "go": Grammar("tree_sitter_go", ("go",), _GO),
    "rust": Grammar("tree_sitter_rust", ("rs",), _RUST),
    "java": Grammar("tree_sitter_java", ("java",), _JAVA),
    "c": Grammar("tree_sitter_c", ("c", "h"), _C),
    "cpp": Grammar("tree_sitter_cpp", ("cpp", "cc", "cxx", "hpp", "hh", "hxx"), _CPP),
    "ruby": Grammar("tree_sitter_ruby", ("rb", "rake"), _RUBY),
}
