"""Descriptions of events that come along: `schemas=` and `symbols=`."""

import shutil

import etwkit
import pyarrow
import pytest
from conftest import FIXTURES, lines

# What describes events of private-logger.etl and messages of message-items.etl, which no parser knows.
BROUGHT = FIXTURES.parent / "xtask/engines/brought"
PLAIN = str(FIXTURES / "private-logger.etl")
MESSAGES = str(FIXTURES / "message-items.etl")


@pytest.fixture
def brought(tmp_path):
    """Returns a folder with descriptions, one of which is broken."""
    for name, folder in (("plain.schema", "."), ("plain.man", "."), ("items.tmf", "."), ("items.tmf", "store"), ("plain.man", "manifests")):
        (tmp_path / folder).mkdir(exist_ok=True)
        shutil.copyfile(BROUGHT / name, tmp_path / folder / name)
    broken = (BROUGHT / "plain.man").read_text(encoding="utf-8").split('="Words"')[0]
    (tmp_path / "manifests" / "broken.man").write_text(broken, encoding="utf-8")
    return tmp_path


def test_schemas_describe_events(brought):
    assert {row["undecoded"] for row in etwkit.open(PLAIN).types if row["event"] is None} != {None}
    for file, provider, names in (
        ("plain.schema", "Plain", {"Number", "Text"}),
        ("plain.man", "Plain-Manifest", {"Count", "Words"}),
    ):
        trace = etwkit.open(PLAIN, schemas=brought / file)
        events = list(trace.dicts(filter="id == 100"))
        assert events == lines("dump", PLAIN, "--schemas", str(brought / file), "--where", "id == 100") != []
        assert all(event["provider"] == provider and event["fields"].keys() == names for event in events)
        row = next(row for row in trace.types if row["provider"] == provider)
        assert (row["undecoded"], row["events"]) == (None, len(events))
        table = pyarrow.table(trace.table(row["event"], provider))
        first, second = (table.column(name).to_pylist() for name in sorted(names))
        assert list(zip(first, second)) == [tuple(event["fields"][name] for name in sorted(names)) for event in events]


def test_symbols_describe_messages(brought):
    assert not any("ansi text" in str(event) for event in etwkit.open(MESSAGES).dicts())
    for symbols in (brought / "items.tmf", str(brought / "store"), [brought / "store", brought / "items.tmf"]):
        trace = etwkit.open(MESSAGES, symbols=symbols)
        assert list(trace.dicts()) == lines("dump", MESSAGES, "--symbols", str(brought / "items.tmf"))
        (event,) = (event for event in trace.events() if event.message)
        assert event.message == "ansi=ansi text wide=wide text"
        assert trace.polars(["message"])["message"].drop_nulls().to_list() == [event.message]


def test_descriptions_reach_stacks_and_analyses(brought):
    plain, described = etwkit.open(MESSAGES), etwkit.open(MESSAGES, symbols=brought / "items.tmf")
    undecoded = [sum(row["undecoded"] is not None for row in trace.types) for trace in (plain, described)]
    assert undecoded[1] == undecoded[0] - 1
    with_stacks = described.analyze("events")
    assert with_stacks != plain.analyze("events")


def test_descriptions_of_no_use_are_told(brought):
    with pytest.warns(UserWarning, match=r"broken\.man"):
        trace = etwkit.open(PLAIN, schemas=brought / "manifests")
    assert any(row["provider"] == "Plain-Manifest" for row in trace.types)
    with pytest.warns(UserWarning, match="no schemas in this folder"):
        etwkit.open(PLAIN, schemas=brought / "store")
    with pytest.warns(UserWarning, match="no definitions of WPP messages"):
        etwkit.open(PLAIN, symbols=brought / "plain.man")
    with pytest.raises(etwkit.EtlError, match=r"broken\.man: line 7"):
        etwkit.open(PLAIN, schemas=brought / "manifests" / "broken.man")
    for option in ("schemas", "symbols"):
        with pytest.raises(OSError, match="nowhere"):
            etwkit.open(PLAIN, **{option: brought / "nowhere"})
