"""Reads exported Parquet and Arrow files by pyarrow, pandas, Polars and DuckDB; compares their values with JSON lines.

    python3 check.py PROGRAM TRACE...

`cargo xtask engines` installs the engines and runs this. Fails with a list of what differs.
"""

import json
import os
import pathlib
import sys
import tempfile
import urllib.parse

import duckdb
import pandas
import polars
import pyarrow.feather
import pyarrow.parquet

from values import EVENTS, OTHERS, NotATrace, differing_fields, expected, run, shown


def compare(table, events):
    """Returns what differs between a table of pyarrow and JSON lines."""
    if table.num_rows != len(events):
        return [f"{table.num_rows} rows, {len(events)} events"]
    wrong = []
    for column in set(table.column_names) - OTHERS:
        for value, event in zip(table.column(column).to_pylist(), events):
            if shown(value, column) != expected(event, column):
                wrong.append(f"{column}: {value!r} and {expected(event, column)!r}")
                break
    return wrong


def rows_of_engines(path):
    """Returns the number of rows of a file that each engine sees, all values read."""
    return {
        "pandas": len(pandas.read_parquet(path)),
        "polars": polars.read_parquet(path, hive_partitioning=False).height,
        "duckdb": len(duckdb.sql(f"SELECT * FROM '{path}'").fetchall()),
    }


def name_of(path):
    """Returns the provider and event of a table, by its path."""
    parts = [urllib.parse.unquote(part) for part in pathlib.Path(path).parts]
    values = dict(part.split("=", 1) for part in parts if "=" in part)
    return values.get("provider"), values.get("event")


def compare_typed(path, header, events):
    """Returns what differs between a table with a column for each field and JSON lines."""
    table = pyarrow.parquet.ParquetFile(path).read()
    if table.num_rows != len(events):
        return [f"{name_of(path)}: {table.num_rows} rows, {len(events)} events"]
    chosen = [field for field in table.schema if field.name not in header]
    columns = [(field.name, table.column(field.name).to_pylist(), pyarrow.types.is_timestamp(field.type)) for field in chosen]
    return [f"{name_of(path)}: {line}" for line in differing_fields(columns, events)]


def check_by_event(program, trace, folder, events, header):
    """Returns what is wrong with the tables of each event."""
    run(program, "export", trace, "-o", folder, "--by-event", "--first", str(EVENTS))
    files = [str(path) for path in pathlib.Path(folder).rglob("*.parquet")]
    rows = sum(pyarrow.parquet.ParquetFile(path).read().num_rows for path in files)
    wrong = [] if rows == len(events) else [f"tables: {rows} rows, {len(events)} events"]
    by_name = {}
    for event in events:
        by_name.setdefault((expected(event, "provider"), event.get("event")), []).append(event)
    for path in files:
        # Names are cut that are long, and an event without a name has one of numbers.
        if name_of(path) in by_name:
            wrong += compare_typed(path, header, by_name[name_of(path)])
        # By its path: the names of folders become columns.
        pyarrow.parquet.read_table(path).to_pylist()
        pandas.read_parquet(path)
        polars.read_parquet(path)
    if files:
        query = "SELECT provider, event, count(*) FROM read_parquet($files, hive_partitioning=true, union_by_name=true) GROUP BY ALL"
        groups = duckdb.execute(query, {"files": files}).fetchall()
        if sum(count for _, _, count in groups) != rows:
            wrong.append(f"tables: DuckDB counts {groups}")
    return wrong


def check_arrow(program, trace, folder, table):
    """Returns what differs between an Arrow file and the Parquet file of the same events."""
    path = os.path.join(folder, "all.arrow")
    run(program, "export", trace, "-o", path, "--first", str(EVENTS))
    arrow = pyarrow.feather.read_table(path)
    wrong = [] if arrow.equals(table) else [f"Arrow: {arrow.schema} and {table.schema}, or other values"]
    frame = polars.read_ipc(path)
    return wrong if frame.equals(polars.from_arrow(table)) else [*wrong, "Arrow: Polars reads other values"]


def check_counts(program, trace, folder):
    """Returns what differs between the table of `count` as a file and as JSON lines."""
    keys = ("--group-by", "provider,event,pid")
    lines = [json.loads(line) for line in run(program, "count", trace, *keys, "--format", "jsonl").splitlines()]
    wrong = []
    for name in ("counts.parquet", "counts.arrow"):
        path = os.path.join(folder, name)
        run(program, "count", trace, *keys, "-o", path)
        table = pyarrow.parquet.read_table(path) if name.endswith(".parquet") else pyarrow.feather.read_table(path)
        rows = [(row["events"], row["provider"], row["event"], row["pid"]) for row in table.to_pylist()]
        texts = [(events, provider, event, None if pid is None else str(pid)) for events, provider, event, pid in rows]
        same = texts == [(line["events"], *(line["keys"].get(key) for key in ("provider", "event", "pid"))) for line in lines]
        wrong += [] if same else [f"{name}: other rows than JSON lines"]
    return wrong


def check(program, trace, folder):
    """Returns what is wrong with the files of a trace, and how many events were compared."""
    path = os.path.join(folder, "all.parquet")
    run(program, "export", trace, "-o", path, "--first", str(EVENTS))
    events = [json.loads(line) for line in run(program, "dump", trace, "--first", str(EVENTS)).splitlines()]
    table = pyarrow.parquet.read_table(path)
    wrong = compare(table, events) + check_arrow(program, trace, folder, table) + check_counts(program, trace, folder)
    wrong += [f"{name}: {rows} rows" for name, rows in rows_of_engines(path).items() if rows != len(events)]
    return wrong + check_by_event(program, trace, os.path.join(folder, "tables"), events, table.column_names), len(events)


def main(program, *traces):
    """Checks all traces; returns the exit code."""
    compared, failed, refused = 0, 0, 0
    for trace in traces:
        with tempfile.TemporaryDirectory() as folder:
            try:
                wrong, events = check(program, trace, folder)
            except NotATrace:
                refused += 1
                continue
            except RuntimeError as error:
                wrong, events = [str(error)], 0
        compared += events
        failed += bool(wrong)
        for line in wrong[:5]:
            print(f"{os.path.basename(trace)}: {line}")
    versions = ", ".join(f"{engine.__name__} {engine.__version__}" for engine in (pyarrow, pandas, polars, duckdb))
    print(f"{len(traces) - refused} traces, {compared} events compared by {versions}: {failed} with differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
