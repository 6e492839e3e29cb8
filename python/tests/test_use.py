"""How the package behaves in use."""

import datetime
import gzip
import os
import pathlib
import signal
import subprocess
import sys
import threading

import etwkit
import polars
import pyarrow
import pytest
from conftest import FIXTURES


def test_events_are_mappings_and_objects(hello):
    event = next(etwkit.open(hello).events(filter="event == 'CoffeeOrder/Start'"))
    assert event.event == event["event"] == event.get("event") == "CoffeeOrder/Start"
    assert event.time == datetime.datetime(2026, 1, 2, 3, 4, 5, 20000, tzinfo=datetime.timezone.utc)
    assert event["time"] == "2026-01-02T03:04:05.0200000Z"
    assert event.fields["OrderId"] == event["fields"]["OrderId"]
    assert "OrderId" not in event and "pid" in event and len(event) == len(list(event)) == len(event.keys())
    assert event.message is None and event.get("message", 1) == 1
    with pytest.raises(KeyError):
        event["colour"]
    with pytest.raises(AttributeError, match="colour"):
        event.colour


def test_a_trace_says_what_it_is(hello):
    trace = etwkit.open(pathlib.Path(hello))
    assert trace.info["events"] == sum(row["events"] for row in trace.types) == len(list(trace.events()))
    assert trace.info["is_damaged"] is False
    assert repr(trace).startswith("<Trace ")
    damaged = etwkit.open(FIXTURES / "damaged-event-size.etl")
    assert damaged.info["is_damaged"] and {"kind", "offset", "len", "detail"} <= damaged.problems[0].keys()


def test_dictionaries_are_of_their_own(many):
    trace = etwkit.open(many)
    expected = [event.to_dict() for event in trace.events()]
    seen = 0
    for event, same in zip(trace.dicts(), expected, strict=True):
        assert event == same and list(event) == list(same)
        assert list(event.get("fields", {})) == list(same.get("fields", {}))
        # What is done to one is not seen in the next one.
        event.get("fields", {}).clear()
        event.clear()
        seen += 1
    assert seen == trace.info["events"]


def test_streams_can_be_read_again_and_again(many):
    trace = etwkit.open(many)
    table = trace.arrow(["time", "pid"])
    assert pyarrow.table(table) == pyarrow.table(table) == table.arrow()
    assert pyarrow.schema(table) == pyarrow.table(table).schema
    assert pyarrow.table(trace).num_rows == trace.info["events"] == len(polars.DataFrame(trace))
    assert pyarrow.table(trace.arrow(first=3)).num_rows == 3 == sum(len(batch) for batch in trace.arrow(first=3).batches())
    with_duckdb = table.duckdb()
    assert with_duckdb.aggregate("count(*)").fetchall()[0] == with_duckdb.aggregate("count(*)").fetchall()[0]


def test_iterators_are_independent(many):
    trace = etwkit.open(many)
    one, other = trace.events(), trace.events()
    assert next(one)["time"] == next(other)["time"]
    next(one)
    del one
    assert len(list(other)) == trace.info["events"] - 1


def test_what_is_scanned_is_what_is_there(many):
    trace = etwkit.open(many)
    frame, lazy = trace.polars(), trace.scan()
    time, pid = frame["time"][len(frame) // 2], frame["pid"].drop_nulls()[0]
    provider = frame["provider"][0]
    for condition in (
        polars.col("pid") == pid,
        (polars.col("cpu") >= 1) & (polars.col("time") > time),
        (polars.col("time") <= time) & (polars.col("provider") == provider),
        polars.lit(1) < polars.col("cpu"),
        polars.col("event").is_null() | (polars.col("pid") < 4),
        polars.col("provider").str.contains("i"),
        (polars.col("provider") == 'odd " name') & (polars.col("id") == 1),
    ):
        assert lazy.filter(condition).collect().equals(frame.filter(condition)), condition
        assert lazy.filter(condition).select("tid").head(2).collect().equals(frame.filter(condition).select("tid").head(2))
    assert lazy.select(polars.len()).collect().item() == len(frame)
    assert lazy.head(5).collect().equals(frame.head(5))
    assert trace.arrow(first=9).scan().filter(polars.col("cpu") == 1).collect().equals(
        frame.head(9).filter(polars.col("cpu") == 1)
    )


def test_conditions_go_down_to_the_engine():
    from etwkit._scan import pushed

    column = polars.col
    at = datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)
    assert pushed((column("pid") == 4) & (column("event") == "A/B")) == ('pid == 4 and event == "A/B"', None, None)
    _, since, until = pushed((column("time") >= at) & (column("x") == 1))
    assert since is not None and until is None
    assert pushed(column("pid") != 4) == pushed(column("pid") + 1 == 4) == (None, None, None)


def test_failures_are_exceptions(tmp_path, hello):
    with pytest.raises(FileNotFoundError, match="no-such-file"):
        etwkit.open(tmp_path / "no-such-file.etl")
    with pytest.raises(OSError):
        etwkit.open(tmp_path)
    with pytest.raises(etwkit.EtlError) as caught:
        etwkit.open(b"MZ" * 5000)
    assert caught.value.offset is None or caught.value.offset >= 0
    trace = etwkit.open(hello)
    with pytest.raises(ValueError, match="column 8"):
        trace.events(filter="pid == ")
    with pytest.raises(KeyError, match="no event"):
        trace.table("No/Such")
    with pytest.raises(KeyError, match="colour"):
        trace.arrow(["colour"])
    with pytest.raises(KeyError, match="processes"):
        trace.analyze("colour")
    with pytest.raises(TypeError):
        etwkit.open(7)
    with pytest.warns(UserWarning, match="colour"):
        trace.events(filter="colour == 7")
    with pytest.warns(UserWarning, match="gc: the trace does not have the events"):
        assert trace.analyze("gc") == []
    with pytest.warns(UserWarning, match="the trace has no allocations"):
        assert trace.stacks("allocations") == []


def test_an_event_is_found_by_a_pattern_or_guid_of_its_provider(hello):
    trace = etwkit.open(hello)
    [row] = [row for row in trace.types if row["event"] == "CoffeeOrder/Start"]
    assert row["events"] == len(trace.table("coffeeorder/START", row["provider"]).arrow())
    for provider in [row["provider"][:5] + "*", row["provider_guid"]]:
        assert len(trace.table("CoffeeOrder/Start", provider).arrow()) == row["events"]
    with pytest.raises(KeyError, match="no event CoffeeOrder/Start of a provider Other"):
        trace.table("CoffeeOrder/Start", "Other*")


def test_packed_files_and_bytes_are_read(tmp_path, hello):
    data = pathlib.Path(hello).read_bytes()
    packed = tmp_path / "hello.etl.gz"
    packed.write_bytes(gzip.compress(data))
    plain = list(etwkit.open(hello).dicts())
    assert list(etwkit.open(data).dicts()) == plain == list(etwkit.open(packed).dicts())
    packed.write_bytes(gzip.compress(data)[:-20])
    with pytest.warns(UserWarning, match="not complete"):
        etwkit.open(packed)


def test_stacks_are_added_up():
    rows = etwkit.open(FIXTURES / "hello.etl").stacks("event")
    assert all(row["samples"] > 0 and isinstance(row["stack"], tuple) for row in rows)
    with pytest.raises(ValueError, match="cpu"):
        etwkit.open(FIXTURES / "hello.etl").stacks("colour")
    scheduling = etwkit.open(FIXTURES / "scheduling.etl")
    of = lambda rows: [(row["samples"], row["weight"], row["unit"]) for row in rows]
    assert of(scheduling.stacks("cpu")) == [(1, 1, "samples")]
    assert of(scheduling.stacks("cpu", unit="ms")) == [(1, 1.0, "ms")]
    with pytest.raises(ValueError, match="samples, ms"):
        scheduling.stacks("cpu", unit="bytes")


def test_threads_share_a_trace(many):
    trace = etwkit.open(many)
    counts = []
    work = lambda: counts.append((sum(1 for _ in trace.dicts()), pyarrow.table(trace).num_rows))  # noqa: E731
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [(trace.info["events"],) * 2] * 8


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize(
    "work",
    [
        "[None for _ in iter(int, 1) for _ in trace.dicts()]",
        "[trace.arrow().arrow() for _ in iter(int, 1)]",
        "[trace.analyze('events') for _ in iter(int, 1)]",
        "[etwkit.open(sys.argv[1]) for _ in iter(int, 1)]",
    ],
)
def test_ctrl_c_ends_the_work(many, work):
    code = f"import etwkit, sys\ntrace = etwkit.open(sys.argv[1])\nprint('begun', flush=True)\n{work}"
    command = [sys.executable, "-c", code, many]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "begun\n"
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=60)
    assert errors.rstrip().endswith("KeyboardInterrupt")
