"""Traces as a data source of Apache Spark 4: `spark.read.format("etl").load("folder")`, and `USING etl` in SQL.

    from etwkit.spark import EtlDataSource

    spark.dataSource.register(EtlDataSource)
    spark.read.format("etl").load("traces/").groupBy("provider", "event").count().show()

Spark finds the source by itself where the package is installed; `register` is for sessions that were begun before.
Each file is a partition, a large one several: slices of its time. All rows of a task come as batches of Arrow straight
from the engine. The workers need this package and pyarrow.

Options, whose names have no case:

* `event`, `provider`: the table of the events of one name, with a column for each field.
* `columns`: names, joined by commas. Spark does not inform a source which columns a query uses: this does.
* `filter`: an expression as in `etwkit dump --where`; `since`, `until`: times in ISO 8601, both included.
* `table`: `events`, or `problems`, which has a row for each damage, loss or misfit of the files.
* `schemas`, `symbols`: as of `etwkit.open`, joined by commas; paths that each worker has.
* `sliceBytes`: files that are larger are read in slices of about this size, each by a task (default 1 GiB). Each slice
  makes the first pass over the whole file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from ._files import find, is_address, local
from ._native import event_columns
from ._times import ticks
from ._trace import Trace, open

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

    from ._table import Table

__all__ = ["EtlDataSource"]

# Bytes of a file that one task reads.
_SLICE_BYTES = 1 << 30
# Slices of one file: each reads the whole file once for the first pass.
_MOST_SLICES = 256

# Types of the columns of all events.
_TYPES = {
    "text": pyarrow.string(),
    "time": pyarrow.timestamp("us", "UTC"),
    "f64": pyarrow.float64(),
    **{f"i{bits}": pyarrow.type_for_alias(f"int{bits}") for bits in (8, 16, 32, 64)},
    **{f"u{bits}": pyarrow.type_for_alias(f"uint{bits}") for bits in (8, 16, 32, 64)},
}

_PROBLEMS = pyarrow.schema(
    [
        ("file", pyarrow.string()),
        ("severity", pyarrow.string()),
        ("kind", pyarrow.string()),
        ("offset", pyarrow.int64()),
        ("len", pyarrow.int64()),
        ("detail", pyarrow.string()),
    ]
)


@dataclass(frozen=True)
class _Part(InputPartition):
    """A file, or the events of it between two times, both included, in units of 100 ns since 1601."""

    path: str
    since: int | None = None
    until: int | None = None


class EtlDataSource(DataSource):
    """The data source `etl`."""

    @classmethod
    def name(cls) -> str:
        """Returns the name of the format."""
        return "etl"

    def schema(self) -> StructType:
        """Returns the columns of the events, or of the table that the options choose."""
        return from_arrow_schema(_types_of_spark(_Choice(self.options).schema()))

    def reader(self, schema: StructType) -> DataSourceReader:
        """Returns what reads the columns of a schema, which may be the user's."""
        return _Reader(_Choice(self.options), schema)


class _Reader(DataSourceReader):
    def __init__(self, choice: _Choice, schema: StructType) -> None:
        self._choice = choice
        self._schema = schema

    def partitions(self) -> list[InputPartition]:
        return [part for path, size in self._choice.files() for part in self._choice.parts(path, size)]

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        assert isinstance(partition, _Part)
        wanted = _arrow_schema(self._schema)
        with local(partition.path) as path:
            trace = self._choice.open(path)
            if self._choice.table == "problems":
                yield _problems(trace, partition.path, wanted)
                return
            table = self._choice.of(trace, partition, wanted.names)
            if table is not None:
                for batch in table.batches():
                    yield from _cast(pyarrow.table(batch), wanted)


class _Choice:
    """What the options state. It travels to the workers."""

    def __init__(self, options: Any) -> None:
        get = options.get
        many = get("paths")
        self.paths: list[str] = json.loads(many) if many else [get("path")] if get("path") else []
        if not self.paths:
            raise ValueError("etl: no path: load(\"folder\"), or OPTIONS (path 'folder') in SQL")
        self.table = (get("table") or "events").lower()
        if self.table not in ("events", "problems"):
            raise ValueError(f"etl: option table: `events` or `problems`, not `{self.table}`")
        self.event, self.provider, self.filter = get("event"), get("provider"), get("filter")
        if self.provider and not self.event:
            raise ValueError("etl: option provider needs option event; conditions on all events go to option filter")
        self.columns, self.schemas, self.symbols = (_listed(get(name)) for name in ("columns", "schemas", "symbols"))
        self.since, self.until = ticks(get("since")), ticks(get("until"))
        self.slice_bytes = max(int(get("sliceBytes") or _SLICE_BYTES), 1)

    def open(self, path: str) -> Trace:
        # Spark has a task for each processor.
        return open(path, schemas=self.schemas, symbols=self.symbols, threads=1)

    def files(self) -> list[tuple[str, int]]:
        return find(self.paths)

    def schema(self) -> pyarrow.Schema:
        if self.table == "problems":
            return _PROBLEMS
        if self.event is None:
            return pyarrow.schema([(name, _TYPES[of]) for name, of in event_columns(self.columns or None)])
        # Traces may have other versions of the event: all of them are asked.
        schemas = []
        for path, _ in self.files():
            with local(path) as file:
                table = self._table(self.open(file))
                schemas += [] if table is None else [pyarrow.schema(table)]
        if not schemas:
            raise ValueError(f"etl: no trace has the event {self.event}")
        every = pyarrow.unify_schemas(schemas, promote_options="permissive")
        return pyarrow.schema([every.field(name) for name in self.columns]) if self.columns else every

    def parts(self, path: str, size: int) -> list[_Part]:
        """Returns a file in slices of about equal time, as many as its size asks for."""
        count = min(-(-size // self.slice_bytes), _MOST_SLICES)
        # An address would be fetched once more for this, and a part of it by each task as a whole.
        if count < 2 or self.table == "problems" or is_address(path):
            return [_Part(path, self.since, self.until)]
        info = self.open(path).info
        first, last = ticks(info["first_event"]), ticks(info["last_event"])
        if first is None or last is None:
            return [_Part(path, self.since, self.until)]
        first, last = max(first, self.since or first), min(last, self.until or last)
        if first >= last:
            return [_Part(path, self.since, self.until)]
        inner = sorted({first + (last - first) * number // count for number in range(1, count)})
        # The ends are open: what is damaged may have any time.
        starts, ends = [self.since, *inner], [*(start - 1 for start in inner), self.until]
        return [_Part(path, *bounds) for bounds in zip(starts, ends)]

    def of(self, trace: Trace, part: _Part, columns: list[str]) -> Table | None:
        """Returns the table of a part, with those columns that the trace has; None if it has no such event."""
        table = self._table(trace, part)
        if table is None:
            return None
        known = {name.lower() for name in table.columns}
        # Of an event, a trace may have versions without a field.
        return table.select([name for name in columns if self.event is None or name.lower() in known])

    def _table(self, trace: Trace, part: _Part | None = None) -> Table | None:
        since, until = (None, None) if part is None else (part.since, part.until)
        if self.event is None:
            return trace.arrow(filter=self.filter, since=since, until=until)
        try:
            return trace.table(self.event, self.provider, filter=self.filter, since=since, until=until)
        except KeyError:
            return None


def _listed(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def _cast(table: pyarrow.Table, wanted: pyarrow.Schema) -> Iterator[pyarrow.RecordBatch]:
    """Gives rows the columns and types that Spark expects."""
    known = {name.lower(): name for name in table.column_names}

    def column(field: pyarrow.Field) -> Any:
        name = known.get(field.name.lower())
        if name is None:
            return pyarrow.nulls(table.num_rows, field.type)
        values = table.column(name)
        return values if values.type == field.type else values.cast(field.type)

    yield from pyarrow.table([column(field) for field in wanted], schema=wanted).to_batches()


def _problems(trace: Trace, path: str, wanted: pyarrow.Schema) -> pyarrow.RecordBatch:
    rows = [{**problem, "file": path} for problem in trace.problems]
    table = pyarrow.Table.from_pylist(rows, schema=_PROBLEMS)
    return next(_cast(table, wanted), pyarrow.RecordBatch.from_pylist([], schema=wanted))


def _types_of_spark(schema: pyarrow.Schema) -> pyarrow.Schema:
    """Returns the types that hold the same values in Spark, which has no unsigned integers."""
    return pyarrow.schema([field.with_type(_type_of_spark(field.type)) for field in schema])


def _type_of_spark(of: pyarrow.DataType) -> pyarrow.DataType:
    if pyarrow.types.is_list(of):
        return pyarrow.list_(_type_of_spark(of.value_type))
    if pyarrow.types.is_struct(of):
        return pyarrow.struct([field.with_type(_type_of_spark(field.type)) for field in of])
    wider = {
        pyarrow.uint8(): pyarrow.int16(),
        pyarrow.uint16(): pyarrow.int32(),
        pyarrow.uint32(): pyarrow.int64(),
        pyarrow.uint64(): pyarrow.decimal128(20, 0),
    }
    return wider.get(of, of)


def _arrow_schema(schema: StructType) -> pyarrow.Schema:
    try:
        return to_arrow_schema(schema, timezone="UTC")
    except TypeError:
        # Before 4.1, all times are in UTC.
        return to_arrow_schema(schema)
