"""Every value is the one that JSON lines have."""

import json

import duckdb
import etwkit
import pandas
import polars
import pyarrow
import pytest
from conftest import EVENTS, lines, traces

# Columns that JSON lines have no member for, or only if several files are read.
OTHERS = {"time_100ns", "offset", "file"}


def opened(path):
    """Opens a trace; None if it is none, on which the program agrees."""
    try:
        return etwkit.open(path)
    except etwkit.EtlError:
        assert lines("dump", path, "--first", "1") is None
        return None


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
        return member[:26] if "T" in member and member.endswith("Z") else None
    return member


def shown(value, column):
    """Returns a value in the form that `expected` has."""
    if value is not None and column == "time":
        return value.strftime("%Y-%m-%dT%H:%M:%S.%f")
    if value is not None and column == "fields":
        return json.loads(value)
    return value


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


@pytest.mark.parametrize("path", traces()[::3])
def test_tables_of_events_have_their_fields(path):
    trace = opened(path)
    if trace is None:
        return
    names = sorted({(row["provider"], row["event"]) for row in trace.types})[:40]
    for provider, event in names:
        count = sum(row["events"] for row in trace.types if (row["provider"], row["event"]) == (provider, event))
        if count > EVENTS:
            continue
        table = pyarrow.table(trace.table(event, provider))
        assert table.num_rows == count
        assert polars.DataFrame(trace.table(event, provider)).height == count


def test_a_field_is_a_column(hello):
    trace = etwkit.open(hello)
    rows = trace.table("CoffeeOrder/Start", columns=["time", "OrderId"]).polars().to_dicts()
    events = [event for event in lines("dump", hello) if event.get("event") == "CoffeeOrder/Start"]
    assert [row["OrderId"] for row in rows] == [event["fields"]["OrderId"] for event in events] != []


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


def test_several_files_are_one_trace(hello, many):
    events = list(etwkit.open([hello, many]).dicts())
    assert events == lines("dump", hello, many)


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
