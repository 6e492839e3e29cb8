"""Tables as sources of Polars: columns, conditions and limits go down to the engine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import polars
from polars.io.plugins import register_io_source

from . import _native

# Columns that mean the same in filter expressions.
_NUMBERS = {"pid", "tid", "cpu", "id", "version", "opcode", "task", "channel"}
_TEXTS = {"provider", "event", "process", "kind"}
_OPERATORS = {"Eq": "==", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
_TURNED = {"Eq": "Eq", "Lt": "Gt", "LtEq": "GtEq", "Gt": "Lt", "GtEq": "LtEq"}
# 1970 in units of 100 ns since 1601.
_UNIX_EPOCH = 116_444_736_000_000_000


def scan(table: _native.Table) -> polars.LazyFrame:
    """Returns a lazy frame of a table."""
    # No rows are read for the schema.
    schema = polars.DataFrame(table.limited(0)).schema

    def source(
        columns: list[str] | None, predicate: polars.Expr | None, rows: int | None, _batch_size: int | None
    ) -> Iterator[polars.DataFrame]:
        filter, since, until = pushed(predicate)
        # Conditions may be about columns that the result does not have.
        needed = None if columns is None else list(dict.fromkeys(columns + _roots(predicate)))
        left = rows
        chosen = table if needed is None else table.project(needed)
        for batch in chosen.batches(filter, since, until, rows if predicate is None else None):
            frame = polars.DataFrame(batch)
            frame = frame if predicate is None else frame.filter(predicate)
            frame = frame if columns is None else frame.select(columns)
            frame = frame if left is None else frame.head(left)
            left = None if left is None else left - frame.height
            yield frame
            if left == 0:
                return

    return register_io_source(source, schema=schema, explain_name="etwkit")


def pushed(predicate: polars.Expr | None) -> tuple[str | None, int | None, int | None]:
    """Returns a filter expression and times that all rows have that a condition is true for.

    What has no counterpart is left out: Polars evaluates the whole condition on what remains.
    """
    terms: list[tuple[str, str, Any]] = []
    if predicate is not None:
        try:
            _collect(json.loads(predicate.meta.serialize(format="json")), terms)
        except Exception:  # The form of serialized expressions is not promised.
            terms = []
    texts, since, until = [], None, None
    for column, operator, value in terms:
        if column == "time":
            at = _UNIX_EPOCH + value * 10
            if operator in ("Gt", "GtEq", "Eq"):
                since = at if since is None else max(since, at)
            if operator in ("Lt", "LtEq", "Eq"):
                # Whole microseconds stand for ten units.
                until = at + 10 if until is None else min(until, at + 10)
        else:
            texts.append(f"{column} {_OPERATORS[operator]} {json.dumps(value, ensure_ascii=False)}")
    return " and ".join(texts) or None, since, until


def _roots(predicate: polars.Expr | None) -> list[str]:
    return [] if predicate is None else predicate.meta.root_names()


def _collect(tree: Any, terms: list[tuple[str, str, Any]]) -> None:
    """Adds the comparisons that are joined by `and`."""
    parts = tree.get("BinaryExpr") if isinstance(tree, dict) else None
    if parts is None:
        return
    if parts["op"] == "And":
        _collect(parts["left"], terms)
        _collect(parts["right"], terms)
        return
    term = _term(parts["left"], parts["op"], parts["right"])
    term = term or _term(parts["right"], _TURNED.get(parts["op"], ""), parts["left"])
    if term is not None:
        terms.append(term)


def _term(left: Any, operator: str, right: Any) -> tuple[str, str, Any] | None:
    column = left.get("Column") if isinstance(left, dict) else None
    literal = right.get("Literal") if isinstance(right, dict) else None
    if column is None or literal is None or operator not in _OPERATORS:
        return None
    [(_, scalar)] = literal.items()
    [(kind, value)] = scalar.items()
    if column == "time" and kind == "Datetime" and value[1] == "Microseconds" and _is_utc(value[2]):
        return column, operator, value[0]
    is_number = column in _NUMBERS and isinstance(value, int) and not isinstance(value, bool) and value >= 0
    is_text = column in _TEXTS and kind == "String" and operator == "Eq" and _is_plain(value)
    return (column, operator, value) if is_number or is_text else None


def _is_utc(zone: Any) -> bool:
    return isinstance(zone, dict) and zone.get("inner") == "UTC"


def _is_plain(text: Any) -> bool:
    """Whether a text is the same in an expression: no quotes, escapes and patterns."""
    return isinstance(text, str) and text.isprintable() and not set(text) & set("\"\\*?'")
