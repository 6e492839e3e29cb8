"""Reads exported Parquet files by pyarrow, pandas, Polars and DuckDB, and compares their values with JSON lines.

    python3 check.py PROGRAM TRACE...

`cargo xtask engines` installs the engines and runs this. Fails with a list of what differs.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import duckdb
import pandas
import polars
import pyarrow.parquet

# Events that are compared of each trace: values of a type are alike.
EVENTS = 20_000
# Columns that JSON lines have no member for, or only if several files are read.
OTHERS = {"time_100ns", "offset", "file"}


class NotATrace(Exception):
    """The program reads nothing of a file."""


def run(program, *arguments):
    """Runs the program; returns what it wrote. Damaged traces give exit code 1, and their events."""
    done = subprocess.run([program, "--quiet", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if done.returncode == 2:
        raise NotATrace
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{arguments}: exit code {done.returncode}")
    return done.stdout


def expected(event, column):
    """Returns what a column must show of the JSON of an event."""
    member = event.get(column)
    if column == "provider" and member is None:
        return event.get("provider_guid")
    if column == "extra" and member is None:
        return event.get("payload")
    if column == "keywords" and member is not None:
        return int(member, 16)
    if column == "raw_time":
        return int(member)
    if column == "time" and member is not None:
        # Ticks that are no date are null.
        return member[:26].rstrip("Z") if "T" in member else None
    return member


def shown(value, column):
    """Returns a value in the form that `expected` has."""
    if value is not None and column == "time":
        return value.strftime("%Y-%m-%dT%H:%M:%S.%f")
    if value is not None and column == "fields":
        return json.loads(value)
    return value


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


def check_by_event(program, trace, folder, events):
    """Returns what is wrong with the tables of each event."""
    run(program, "export", trace, "-o", folder, "--by-event", "--first", str(EVENTS))
    files = [str(path) for path in pathlib.Path(folder).rglob("*.parquet")]
    rows = sum(pyarrow.parquet.ParquetFile(path).read().num_rows for path in files)
    wrong = [] if rows == len(events) else [f"tables: {rows} rows, {len(events)} events"]
    for path in files:
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


def check(program, trace, folder):
    """Returns what is wrong with the files of a trace, and how many events were compared."""
    path = os.path.join(folder, "all.parquet")
    run(program, "export", trace, "-o", path, "--first", str(EVENTS))
    events = [json.loads(line) for line in run(program, "dump", trace, "--first", str(EVENTS)).splitlines()]
    wrong = compare(pyarrow.parquet.read_table(path), events)
    wrong += [f"{name}: {rows} rows" for name, rows in rows_of_engines(path).items() if rows != len(events)]
    return wrong + check_by_event(program, trace, os.path.join(folder, "tables"), events), len(events)


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
