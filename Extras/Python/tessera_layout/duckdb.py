"""Layouts in DuckDB's SQL.

import duckdb, tessera_layout as tessera
connection = duckdb.connect()
tessera.duckdb.register(connection)
connection.sql("SELECT id, layout('flow', {size: sizes}).content_size FROM albums")
"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence

from . import _values
from ._bulk import DEFAULT_COLUMNS, Function
from ._native import InvalidError

__all__ = ["register"]


def register(
    connection: Any,
    name: str = "layout",
    *,
    columns: Sequence[str] = DEFAULT_COLUMNS,
    host: Optional[Mapping[str, Any]] = None,
    element_limit: Optional[int] = None,
    float32: bool = False,
) -> None:
    """Adds a function and a table function of this name to a DuckDB connection.

        SELECT id, layout('flow', {size: sizes, minimum_line_spacing: spacing}) AS found FROM albums
        SELECT id, element.* FROM albums, layout('flow', {size: sizes}) AS element

    Both take the engine and a struct, by names in either spelling: item values as lists,
    parameters, `items` or `sections`, and `bounds`. The function returns a struct of
    `elements`, a list of structs, `content_size`, `error` and `error_code`. The table function
    returns a row per element, or one with an error for a failed collection.

    :param columns: Element columns: category, kind, section, item, frame, alpha, z_index, hidden.

    Other arguments are passed to tessera.spark.layouts.
    """
    function = Function(columns, host, element_limit, float32)

    def lay_out(*arguments: Any) -> Any:
        if len(arguments) != 2:
            raise InvalidError(
                f"{name} has {len(arguments)} arguments; give the engine, and a struct of values"
                " and parameters"
            )
        return function(*arguments)

    if not hasattr(connection, "create_function"):
        raise InvalidError(
            f"connection is {_values.shown(connection)}; give a connection of DuckDB"
        )
    try:
        # Lets a notebook's cell run again.
        connection.remove_function(name)
    except Exception as failure:
        if type(failure).__name__ != "InvalidInputException":
            raise
    connection.create_function(
        name, lay_out, None, _type(function.kind(), float32), type="arrow", null_handling="special"
    )
    quoted = '"' + name.replace('"', '""') + '"'
    fields = "".join(f"element.{column} AS {column}, " for column in function.columns)
    rows = f"(SELECT {quoted}(engine, given) AS found)"
    if fields:
        rows = (
            "(SELECT found, unnest(CASE WHEN found.error IS NULL THEN found.elements ELSE [NULL]"
            f" END) AS element FROM {rows})"
        )
    connection.execute(
        f"CREATE OR REPLACE TEMP MACRO {quoted}(engine, given) AS TABLE "
        f"SELECT {fields}found.content_size, found.error, found.error_code FROM {rows}"
    )


def _type(kind: Any, single: bool) -> str:
    """The type in DuckDB's SQL."""
    if isinstance(kind, list):
        fields = ", ".join(
            f"{name} {_type(one, single and name != 'content_size')}" for name, one in kind
        )
        return f"STRUCT({fields})"
    if isinstance(kind, str):
        number = "FLOAT" if single else "DOUBLE"
        return {
            "string": "VARCHAR",
            "bigint": "BIGINT",
            "int": "INTEGER",
            "double": number,
            "boolean": "BOOLEAN",
        }[kind]
    if kind[0] == "array":
        return _type(kind[1], single) + "[]"
    return _type([(name, "double") for name in kind], single)
