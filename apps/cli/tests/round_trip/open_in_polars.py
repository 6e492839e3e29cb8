"""Opens what `etwkit dump` wrote of fixtures/values.etl in Polars (PyPI), as a user would.

Column types must be those of the values, and the values those that the trace was made of. The folder given holds
`written.json` (what the trace was made of), `values.jsonl`, `flat.jsonl`, `values.csv`, a folder `tables`, and
`hello.jsonl` and `hello.csv` of another fixture.
"""

import json
import math
import struct
import sys
from pathlib import Path

import polars as pl

WRITTEN = json.loads(Path(sys.argv[1], "written.json").read_text(encoding="utf-8"))
INTEGERS = ("Signed", "Unsigned", "Port")
wrong = []


def check(what, found, expected):
    if found != expected:
        wrong.append(f"{what}: {found!r}, not {expected!r}")


def number(kind, value):
    """The number that the bytes of a payload are."""
    data = bytes.fromhex(value)
    if kind == "Float":
        return struct.unpack("<f" if len(data) == 4 else "<d", data)[0]
    return int.from_bytes(data, "big" if kind == "Port" else "little", signed=kind == "Signed")


def same_float(found, expected, width):
    """The same bits; of a single, once it is one again."""
    if math.isnan(expected):
        return math.isnan(found)
    form = "<f" if width == 4 else "<d"
    return struct.pack(form, found) == struct.pack(form, expected)


def typed(what, column, kind):
    """Checks the type that Polars gave a column of its own accord, and the values."""
    values = [row["bytes"] for row in kind["values"]]
    if kind["kind"] in INTEGERS:
        numbers = [None if value is None else number(kind["kind"], value) for value in values]
        check(f"{what}: integers", column.dtype.is_integer(), True)
        check(what, column.to_list(), numbers)
    elif kind["kind"] == "Bool":
        check(f"{what}: type", column.dtype, pl.Boolean)
        check(what, column.to_list(), [number("Unsigned", value) != 0 for value in values])
    elif kind["kind"] == "Float":
        check(f"{what}: type", column.dtype, pl.Float64)
        for found, value in zip(column.to_list(), values):
            if not same_float(found, number("Float", value), len(value) // 2):
                wrong.append(f"{what}: {found!r}, not {value}")
    else:
        check(f"{what}: type", column.dtype, pl.String)


def table(name, kind):
    """A table of one type of event: the types of columns are guessed from all rows, as docs/csv.md states."""
    path = Path(sys.argv[1], "tables", f"Synth-Values.{name}.v0.csv")
    frame = pl.read_csv(path, infer_schema_length=None)
    check(f"{name}: rows", frame["row"].to_list(), list(range(len(kind["values"]))))
    if name == "noprint":
        return
    if kind["kind"] == "Text":
        # Texts may look like numbers: a reader that knows better specifies so.
        frame = pl.read_csv(path, schema_overrides={"value": pl.String})
        texts = [row["text"] for row in kind["values"]]
        check(f"{name}: texts", [text or "" for text in frame["value"].to_list()], texts)
    elif kind["kind"] != "Char" and name not in ("null", "etwtime", "bits", "named"):
        typed(f"table {name}", frame["value"], kind)
    check(f"{name}: time", frame["time"].str.to_datetime(time_unit="ns", time_zone="UTC").null_count(), 0)
    for column in ("raw_time", "pid", "tid", "cpu", "level"):
        check(f"{name}: {column}", frame[column].dtype, pl.Int64)


def lines(name, kind, frame):
    """JSON lines of one type of event, so that a column has one type."""
    column = frame["value"]
    texts = [row["text"] for row in kind["values"]]
    has_large = kind["kind"] in INTEGERS and any(
        row["bytes"] is not None and abs(number(kind["kind"], row["bytes"])) > 2**53 - 1 for row in kind["values"]
    )
    if has_large:
        # Integers that doubles cannot hold are strings, and so is the column: exact, and one cast away.
        check(f"lines {name}: type", column.dtype, pl.String)
        typed(f"lines {name}", column.cast(pl.Int128), kind)
    elif kind["kind"] == "Float":
        # NaN and infinities are strings, since JSON has no others.
        check(f"lines {name}: type", column.dtype, pl.String)
        typed(f"lines {name}", column.cast(pl.Float64), kind)
        finite = [row for row in kind["values"] if math.isfinite(number("Float", row["bytes"]))]
        text = "\n".join(line for line in frame["line"].to_list() if '"value":"' not in line)
        alone = pl.read_ndjson(text.encode(), infer_schema_length=None)["value"]
        typed(f"lines {name}, finite", alone, {**kind, "values": finite})
    elif kind["kind"] == "Text":
        check(f"lines {name}: type", column.dtype, pl.String)
        check(f"lines {name}", column.to_list(), texts)
    elif name == "array":
        check(f"lines {name}: type", column.dtype, pl.List(pl.Int64))
        check(f"lines {name}", column.to_list(), [json.loads(text) for text in texts])
    elif name == "struct":
        check(f"lines {name}: type", column.dtype, pl.List(pl.Struct({"x": pl.Int64, "y": pl.String})))
        check(f"lines {name}", column.to_list(), [json.loads(text) for text in texts])
    elif name not in ("bits", "named"):
        typed(f"lines {name}", column, kind)


def files(name, events):
    """JSON lines and one table of the same events: types of the header's columns, and that both state the same."""
    whole = pl.read_ndjson(Path(sys.argv[1], f"{name}.jsonl"), infer_schema_length=None)
    table = pl.read_csv(Path(sys.argv[1], f"{name}.csv"), infer_schema_length=None)
    integers = ["raw_time", "id", "version", "level", "opcode", "task", "channel", "pid", "tid", "cpu"]
    texts = ["time", "provider", "event", "keywords", "kind"]
    for frame in (whole, table):
        check(f"{name}: rows", frame.height, events)
        for column in integers:
            check(f"{name}: {column}", frame[column].dtype, pl.Int64)
        for column in texts:
            check(f"{name}: {column}", frame[column].dtype, pl.String)
        times = frame["time"].str.to_datetime(time_unit="ns", time_zone="UTC")
        check(f"{name}: year", times.dt.year().unique().to_list(), [2026])
    for column in integers + texts:
        check(f"{name}: {column}", table[column].to_list(), whole[column].to_list())
    return [json.loads(text) if text else None for text in table["fields"].to_list()]


def main():
    by_event = {}
    for line in Path(sys.argv[1], "flat.jsonl").read_text(encoding="utf-8").split("\n"):
        if line:
            by_event.setdefault(json.loads(line)["event"], []).append(line)
    for name, kind in WRITTEN.items():
        table(name, kind)
        frame = pl.read_ndjson("\n".join(by_event[name]).encode(), infer_schema_length=None)
        lines(name, kind, frame.with_columns(pl.Series("line", by_event[name])))

    events = sum(len(kind["values"]) for kind in WRITTEN.values())
    fields = files("values", events)
    rows = [row for kind in WRITTEN.values() for row in range(len(kind["values"]))]
    check("values: fields", [field["row"] for field in fields], rows)
    files("hello", 11)

    print(f"Polars {pl.__version__}: {len(WRITTEN)} types, {events} values, {len(wrong)} wrong")
    sys.exit("\n".join(wrong) or 0)


main()
