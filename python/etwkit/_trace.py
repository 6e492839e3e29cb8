"""Open traces."""

from __future__ import annotations

import datetime
import os
import warnings
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Union

from . import _native
from ._table import Table
from ._times import ticks

if TYPE_CHECKING:
    # Methods have the names of the modules.
    from duckdb import DuckDBPyRelation
    from pandas import DataFrame as PandasFrame
    from polars import DataFrame as PolarsFrame
    from polars import LazyFrame

Source = Union[str, "os.PathLike[str]", bytes]
Path = Union[str, "os.PathLike[str]"]
Time = Union[datetime.datetime, str, int, None]


def open(
    source: Source | Iterable[Source],
    *,
    schemas: Path | Iterable[Path] = (),
    symbols: Path | Iterable[Path] = (),
    threads: int | None = None,
) -> Trace:
    """Opens a trace: a path, the bytes of a file, or several of them, which are read as one trace.

    Files may be packed by gzip or zip. The first pass reads all of them once and keeps what is needed to read events:
    their types, processes and images. Raises `OSError` if a file cannot be opened and `EtlError` if it is not a trace.
    A damaged trace is opened; `Trace.problems` lists the damage.

    `schemas` are files and folders with descriptions of events that are not known: `.schema` files, manifests, binaries
    with manifests, MOF files. `symbols` are those with definitions of WPP messages: TMF and PDB files, symbol stores. A
    warning names each file of a folder that could not be read.

    `threads` limits the threads of the engine; by default there are as many as processors.
    """
    sources = [source] if isinstance(source, (str, bytes, bytearray, os.PathLike)) else list(source)
    return Trace(sources, schemas=_paths(schemas), symbols=_paths(symbols), threads=threads)


class Trace:
    """A trace whose first pass is done. Events are read when they are asked for, as often as they are asked for.

    The methods that read events have these parameters in common:

    * `filter`: an expression, as in `etwkit dump --where`, such as `'provider ~ "Kernel" and pid == 4'`. A warning says
      that no event has a field of a name in it.
    * `since`, `until`: from this time on, and up to this time, both included. A `datetime` or a text in ISO 8601; without
      a zone it is UTC. Or an integer, as in the column `time_100ns`.
    """

    def __init__(
        self,
        sources: list[Source],
        *,
        schemas: list[str] | None = None,
        symbols: list[str] | None = None,
        threads: int | None = None,
    ) -> None:
        def named(source: Source) -> Any:
            return ("bytes", bytes(source)) if isinstance(source, (bytes, bytearray)) else os.fspath(source)

        self._sources = [named(source) for source in sources]
        self._threads = threads
        self._additions = (schemas or [], symbols or [])
        self._native = _native.Trace(self._sources, self._additions, False, threads)
        self._of_stacks: _native.Trace | None = None
        for note in self._native.notes():
            warnings.warn(note, stacklevel=3)

    @property
    def info(self) -> dict[str, Any]:
        """Session, machine, extent and losses. Times are texts of RFC 3339 in UTC; what is not known is None."""
        return self._native.info()

    @property
    def types(self) -> list[dict[str, Any]]:
        """The types of events: names, numbers, how many there are, and why they are not decoded (or None)."""
        return self._native.types()

    @property
    def problems(self) -> list[dict[str, Any]]:
        """Damage, losses and misfits, each with `severity`, `kind`, `file`, `offset`, `len` and `detail`."""
        return self._native.problems()

    def events(
        self,
        filter: str | None = None,
        fields: Iterable[str] | None = None,
        *,
        first: int | None = None,
        since: Time = None,
        until: Time = None,
    ) -> Iterator[_native.Event]:
        """Iterates events in time order.

        With `fields`, events have these members alone: names of JSON lines (`time`, `pid`, ...) or of fields of the
        payload, in the spelling that events have. What an event does not have is None.
        """
        choice = self._choice(filter, since, until)
        return self._native.events(choice, _names(fields), first, False)

    def dicts(
        self,
        filter: str | None = None,
        fields: Iterable[str] | None = None,
        *,
        first: int | None = None,
        since: Time = None,
        until: Time = None,
    ) -> Iterator[dict[str, Any]]:
        """Iterates events in time order as dictionaries, as `json.loads` makes them of `etwkit dump`.

        For the parameters see `events`.
        """
        choice = self._choice(filter, since, until)
        return self._native.events(choice, _names(fields), first, True)

    def arrow(
        self,
        columns: Iterable[str] | None = None,
        filter: str | None = None,
        *,
        first: int | None = None,
        since: Time = None,
        until: Time = None,
    ) -> Table:
        """Returns the table of all events: the header in columns, and the payload as JSON in `fields`.

        With `columns` it has these alone. The columns are those of `etwkit export`.
        """
        table = Table(self._native.all_events(self._choice(filter, since, until), first))
        return table if columns is None else table.select(columns)

    def table(
        self,
        event: str,
        provider: str | None = None,
        columns: Iterable[str] | None = None,
        filter: str | None = None,
        *,
        first: int | None = None,
        since: Time = None,
        until: Time = None,
    ) -> Table:
        """Returns the table of the events of one name, such as `Process/Start`, with a column for each field.

        All versions of the event are in it; a field that a version does not have is null. Raises `KeyError` if the
        trace has no such event, and `ValueError` if several providers have one and none is named. `provider` is a name, a
        pattern such as `Windows*`, or a GUID.
        """
        table = Table(self._native.table(event, provider, self._choice(filter, since, until), first))
        return table if columns is None else table.select(columns)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns a capsule with a stream of all events: `pyarrow.table(trace)`, `polars.DataFrame(trace)`."""
        return self.arrow().__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        """Returns a capsule with the schema of all events."""
        return self.arrow().__arrow_c_schema__()

    def pandas(self, columns: Iterable[str] | None = None, filter: str | None = None, **more: Any) -> PandasFrame:
        """Returns all events as a data frame of pandas (needs pandas and pyarrow). For the parameters see `arrow`."""
        return self.arrow(columns, filter, **more).pandas()

    def polars(self, columns: Iterable[str] | None = None, filter: str | None = None, **more: Any) -> PolarsFrame:
        """Returns all events as a data frame of Polars. For the parameters see `arrow`."""
        return self.arrow(columns, filter, **more).polars()

    def duckdb(
        self, columns: Iterable[str] | None = None, filter: str | None = None, **more: Any
    ) -> DuckDBPyRelation:
        """Returns all events as a relation of DuckDB (needs pyarrow). For the parameters see `arrow`."""
        return self.arrow(columns, filter, **more).duckdb()

    def scan(self, filter: str | None = None, **more: Any) -> LazyFrame:
        """Returns all events as a lazy frame of Polars. For the parameters see `arrow`."""
        return self.arrow(None, filter, **more).scan()

    def analyze(
        self,
        name: str,
        filter: str | None = None,
        *,
        each: bool = False,
        since: Time = None,
        until: Time = None,
    ) -> list[dict[str, Any]]:
        """Returns the rows of an analysis, such as `gc` or `disk`: those of `etwkit analyze`. `ANALYSES` has all names.

        With `each` there is a row for each of the things that the rows of the analysis add up. Warns if the trace does not
        have the events that the analysis needs.
        """
        rows, lacks = self._with_stacks().analyze(name, each, self._choice(filter, since, until))
        for lack in lacks:
            warnings.warn(f"{name}: {lack}", stacklevel=2)
        return rows

    def stacks(
        self,
        by: str = "cpu",
        filter: str | None = None,
        *,
        unit: str | None = None,
        since: Time = None,
        until: Time = None,
    ) -> list[dict[str, Any]]:
        """Adds up samples by call stack, as `etwkit profile` does.

        `by` is what is weighed: `cpu`, `allocations`, `heap`, `virtual-alloc`, `exceptions`, `disk`, `file`, `faults` or
        `event`, and `unit` the unit of weights, one that the trace states: `samples`, `ms` or `bytes`. Each row has
        `stack`, a tuple of frames from the process to the innermost one, `samples`, `weight` and its `unit`.
        """
        rows, lacks = self._with_stacks().stacks(by, unit, self._choice(filter, since, until))
        for lack in lacks:
            warnings.warn(lack, stacklevel=2)
        return rows

    def _with_stacks(self) -> _native.Trace:
        """Returns the same trace, opened with what call stacks and identities of images need: a first pass more."""
        if self._of_stacks is None:
            self._of_stacks = _native.Trace(self._sources, self._additions, True, self._threads)
        return self._of_stacks

    def _choice(self, filter: str | None, since: Time, until: Time) -> dict[str, Any]:
        choice = {"filter": filter, "since": ticks(since), "until": ticks(until), "threads": self._threads}
        for name in self._native.unknown_names(choice) if filter is not None else ():
            warnings.warn(f"no event has a field {name}", stacklevel=3)
        return choice

    def __repr__(self) -> str:
        info = self.info
        return f"<Trace {', '.join(info['files'])}: {info['events']:,} events>"


def _paths(paths: Path | Iterable[Path]) -> list[str]:
    return [os.fspath(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]


def _names(names: Iterable[str] | None) -> list[str] | None:
    return None if names is None else [names] if isinstance(names, str) else list(names)
