"""Tables of events for data frames and SQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    # Methods have the names of the modules.
    from duckdb import DuckDBPyRelation
    from pandas import DataFrame as PandasFrame
    from polars import DataFrame as PolarsFrame
    from polars import LazyFrame
    from pyarrow import Table as ArrowTable


class Table:
    """A table of events. It holds no rows: each reader reads the trace anew.

    Everything that takes Arrow's PyCapsule interface takes a table: `pyarrow.table(table)`, `polars.DataFrame(table)`,
    `duckdb.sql("SELECT count(*) FROM table")` with a variable of that name.
    """

    def __init__(self, native: _native.Table) -> None:
        self._native = native

    @property
    def columns(self) -> dict[str, str]:
        """The names and types of the columns, such as `u32`, `text`, `time` or `list of u8`."""
        return dict(self._native.columns())

    def select(self, columns: Iterable[str]) -> Table:
        """Returns the table with these columns alone. What no column shows is not rendered."""
        return Table(self._native.project([columns] if isinstance(columns, str) else list(columns)))

    def batches(self) -> Iterator[_native.Batch]:
        """Iterates parts of the table, each of which takes Arrow's PyCapsule interface. Ctrl+C ends the wait for one."""
        return self._native.batches(None, None, None, None)

    def arrow(self) -> ArrowTable:
        """Returns the table in the memory of pyarrow."""
        import pyarrow

        parts = [pyarrow.table(batch) for batch in self.batches()]
        # Without columns, concatenated parts have no rows.
        return pyarrow.concat_tables(parts) if parts and self.columns else pyarrow.table(self)

    def pandas(self) -> PandasFrame:
        """Returns the table as a data frame of pandas (needs pandas and pyarrow).

        Columns of integers have the nullable types of pandas, such as `UInt64`: other ones would round integers beyond
        2^53 where a row has none.
        """
        import pandas
        import pyarrow

        names = [f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)]
        types = {getattr(pyarrow, name.lower())(): getattr(pandas, f"{name}Dtype")() for name in names}
        return self.arrow().to_pandas(types_mapper=types.get)

    def polars(self) -> PolarsFrame:
        """Returns the table as a data frame of Polars."""
        import polars

        parts = [polars.DataFrame(batch) for batch in self.batches()]
        return polars.concat(parts) if parts else polars.DataFrame(self)

    def duckdb(self) -> DuckDBPyRelation:
        """Returns the table as a relation of DuckDB. Each query reads the trace anew."""
        import duckdb

        return duckdb.from_arrow(self)

    def scan(self) -> LazyFrame:
        """Returns the table as a lazy frame of Polars.

        Of columns that a query does not use nothing is rendered, and a limit ends the run. Comparisons of the header's
        columns with numbers, texts and times are evaluated before events are decoded.
        """
        from ._scan import scan

        return scan(self._native)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns a capsule with a new stream of the rows."""
        return self._native.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        """Returns a capsule with the schema."""
        return self._native.__arrow_c_schema__()

    def __repr__(self) -> str:
        return f"<Table {', '.join(self.columns)}>"
