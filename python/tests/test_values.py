"""Every value is the one that JSON lines have."""

import os

import duckdb
import etwkit
import pandas
import polars
import pyarrow
import pytest
from conftest import EVENTS, FIXTURES, lines, traces
from etwkit._times import ticks
from values import OTHERS, differing_fields, expected, shown


def opened(path):
    """Opens a trace; None if it is not one, on which the program agrees."""
    try:
        return etwkit.open(path)
    except etwkit.EtlError:
        assert lines("dump", path, "--first", "1") is None
        return None


def compare(rows, events):
    """Compares dictionaries of columns with JSON lines."""
    assert len(rows) == len(events)
    for row, event in zip(rows, events):
        for column in row.keys() - OTHERS:
            assert shown(row[column], column) == expected(event, column), (column, event)


@pytest.mark.parametrize("path", traces())
def test_values_are_those_of_json_lines(path):
    trace = opened(path)
    if trace is None:
        return
    events = lines("dump", path, "--first", str(EVENTS))
    assert list(trace.dicts(first=EVENTS)) == events
    objects = list(trace.events(first=EVENTS))
    assert [event.to_dict() for event in objects] == events
    assert [dict(event) for event in objects[:100]] == events[:100]
    table = trace.arrow(first=EVENTS)
    compare(pyarrow.table(table).to_pylist(), events)
    compare(table.polars().to_dicts(), events)
    frame = table.pandas()
    assert list(frame["event"].astype(object).where(frame["event"].notna(), None)) == [e.get("event") for e in events]
    numbers = duckdb.from_arrow(table).aggregate("count(*), count(pid), sum(pid)").fetchall()[0]
    pids = [event["pid"] for event in events if "pid" in event]
    assert numbers == (len(events), len(pids), sum(pids) if pids else None)


@pytest.mark.parametrize("path", traces())
def test_tables_of_events_have_their_fields(path):
    trace = opened(path)
    if trace is None:
        return
    by_name = {}
    for event in lines("dump", path, "--first", str(EVENTS)):
        by_name.setdefault((expected(event, "provider"), event.get("event")), []).append(event)
    header = trace.arrow().columns
    for (provider, name), events in list(by_name.items())[:40]:
        if name is None:
            continue
        source = trace.table(name, provider, first=len(events))
        table = pyarrow.table(source)
        assert table.num_rows == len(events) == polars.DataFrame(source).height, (provider, name)
        chosen = [field for field in table.schema if field.name not in header]
        columns = [(field.name, table.column(field.name).to_pylist(), pyarrow.types.is_timestamp(field.type)) for field in chosen]
        assert differing_fields(columns, events) == [], (provider, name)


def test_a_field_is_a_column(hello):
    trace = etwkit.open(hello)
    rows = trace.table("CoffeeOrder/Start", columns=["time", "OrderId"]).polars().to_dicts()
    events = [event for event in lines("dump", hello) if event.get("event") == "CoffeeOrder/Start"]
    assert [row["OrderId"] for row in rows] == [event["fields"]["OrderId"] for event in events] != []


def test_structs_are_structs(hello):
    table = etwkit.open(hello).table("CoffeeOrder/Start", columns=["Item"])
    items = [event["fields"]["Item"] for event in lines("dump", hello, "--where", "event == 'CoffeeOrder/Start'")]
    assert pyarrow.table(table)["Item"].to_pylist() == table.polars()["Item"].to_list() == items != []
    assert duckdb.from_arrow(table).project("Item.Cups").fetchall() == [(item["Cups"],) for item in items]
    nested = etwkit.open(FIXTURES / "tracelogging-structs.etl").table("VariableArray", columns=["named"])
    assert nested.polars()["named"].to_list() == [[{"name": "one", "values": [1]}, {"name": "two", "values": [1, 2]}]]


def test_chosen_members_are_those_of_the_event(hello):
    names = ["time", "pid", "OrderId", "colour"]
    events = lines("dump", hello)
    expected = [
        {name: event.get(name, event.get("fields", {}).get(name)) for name in names} for event in events
    ]
    assert list(etwkit.open(hello).dicts(fields=names)) == expected
    assert [event.to_dict() for event in etwkit.open(hello).events(fields=names)] == expected


def test_filters_are_those_of_the_program(many):
    trace = etwkit.open(many)
    for filter in ("cpu == 1", "pid > 4 or event ~ 'x'", "not has id"):
        assert list(trace.dicts(filter)) == lines("dump", many, "--where", filter)


def test_times_choose_events(many):
    trace = etwkit.open(many)
    events = list(trace.events())
    middle = events[len(events) // 2].time
    later = [event["time"] for event in trace.events(since=middle)]
    assert later == [event["time"] for event in events if event.time >= middle]
    earlier = [event["time"] for event in trace.events(until=middle.isoformat())]
    exact = middle.strftime("%Y-%m-%dT%H:%M:%S.%f0Z")
    assert earlier == [event["time"] for event in events if event["time"] <= exact]
    assert 0 < len(earlier) < len(events)


def test_integers_of_pandas_are_exact(hello):
    trace = etwkit.open([hello, *traces()[:40]])
    table = trace.arrow(columns=["keywords", "pid", "time_100ns"])
    exact, frame = pyarrow.table(table), table.pandas()
    for name in exact.column_names:
        values = [None if value is pandas.NA else value for value in frame[name].tolist()]
        assert values == exact[name].to_pylist(), name
        assert pandas.api.types.is_integer_dtype(frame[name])
    assert None in exact["keywords"].to_pylist() and max(filter(None, exact["keywords"].to_pylist())) > 2**53


def test_a_table_without_columns_has_rows(hello):
    trace = etwkit.open(hello)
    assert trace.arrow(columns=[]).arrow().num_rows == trace.info["events"] > 0


def test_times_keep_all_their_digits():
    exact = ticks("2019-04-17T18:40:00.0000016Z")
    for text in ("20190417T184000.0000016Z", "2019-04-17T18:40:00,0000016Z", "2019-04-17T20:40:00.0000016+02:00"):
        assert ticks(text) == exact
    assert exact % 10_000_000 == 16
    stamp = pandas.Timestamp("2019-04-17T18:40:00.0000016Z")
    assert stamp.unit == "ns" and ticks(stamp) == exact
    assert ticks(stamp.to_pydatetime(warn=False)) == exact - 6


@pytest.mark.parametrize("name", ["hello.etl", "kernel-stacks.etl"])
def test_numbers_of_types_are_those_of_events(name):
    trace = etwkit.open(FIXTURES / name)
    for row in trace.types:
        events = [event for event in trace.dicts() if (event["provider"], event.get("event")) == (row["provider"], row["event"])]
        numbers = [name for name in ("id", "version", "opcode", "task") if row[name] is not None]
        assert any(all(event.get(name) == row[name] for name in numbers) for event in events), row
        assert numbers or row["kind"] == "tracelogging"


def test_local_times_have_no_zone():
    shared = os.environ.get("ETWKIT_SHARED")
    if not shared:
        pytest.skip("!!!! ETWKIT_SHARED is not set: no performance log, whose times are local !!!!")
    path = os.path.join(shared, "corpus/blg/CounterSamples.blg")
    info = etwkit.open(path).info
    [line] = lines("info", "--format", "jsonl", path)
    assert not info["first_event"].endswith("Z")
    assert [info[name] for name in ("first_event", "last_event")] == [line[name] for name in ("first_event", "last_event")]


def test_several_files_are_one_trace(hello, many):
    events = list(etwkit.open([hello, many]).dicts())
    assert events == lines("dump", hello, many)


@pytest.mark.parametrize("name", ["processes", "images", "summary"])
def test_what_is_of_the_whole_trace_takes_no_filter(name):
    trace = etwkit.open(FIXTURES / "scheduling.etl")
    assert trace.analyze(name)
    for choice in [{"filter": "pid == 4"}, {"since": "2026-01-02T03:04:06Z"}, {"until": "2026-01-02T03:04:06Z"}]:
        with pytest.raises(ValueError, match="no filter"):
            trace.analyze(name, **choice)


def test_analyses_are_those_of_the_program():
    compared = 0
    for path in traces():
        for name in ("processes", "gc", "disk"):
            theirs = lines("analyze", name, path, "--format", "jsonl", "--fields", "*") or []
            if theirs:
                ours = etwkit.open(path).analyze(name)
                keys = {key for row in theirs for key in row} - {"start", "end"}
                assert [{key: row.get(key) for key in keys} for row in ours] == [
                    {key: row.get(key) for key in keys} for row in theirs
                ]
                compared += 1
    assert compared > 0
