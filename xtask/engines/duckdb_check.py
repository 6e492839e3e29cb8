"""Reads traces by the DuckDB extension, and compares its values with JSON lines.

    python3 duckdb_check.py PROGRAM EXTENSION TRACE...

`cargo xtask engines` installs versions of DuckDB and runs this with each. Fails with a list of what differs.
"""

import datetime
import json
import math
import os
import random
import re
import shutil
import struct
import sys
import tempfile
import threading
import time

import duckdb

from values import EVENTS, OTHERS, NotATrace, expected, run, shown

# Damaged files that are read.
DAMAGED = 60


def connect(extension):
    """Returns a connection to a database that has the extension."""
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute(f"LOAD '{extension}'")
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def rows(connection, query, *arguments):
    """Returns the names of columns, and the rows."""
    result = connection.execute(query, list(arguments))
    return [column[0] for column in result.description], result.fetchall()


def compare(connection, trace, events):
    """Returns what differs between the table of all events and JSON lines."""
    names, found = rows(connection, f"SELECT * FROM read_etl(?) LIMIT {EVENTS}", trace)
    if len(found) != len(events):
        return [f"{len(found)} rows, {len(events)} events"]
    wrong = []
    for place, column in enumerate(names):
        for row, event in zip(found, events):
            if column not in OTHERS and shown(row[place], column) != expected(event, column):
                wrong.append(f"{column}: {row[place]!r} and {expected(event, column)!r}")
                break
    return wrong


def single(number):
    """Returns a number as a single has it."""
    return struct.unpack("f", struct.pack("f", number))[0]


def agrees(value, member):
    """Returns whether a value of a typed column is what JSON shows."""
    if isinstance(value, list):
        return isinstance(member, list) and len(value) == len(member) and all(map(agrees, value, member))
    if isinstance(value, datetime.datetime):
        return member[:26].rstrip("Z") == value.strftime("%Y-%m-%dT%H:%M:%S.%f")
    if isinstance(value, bool) or value is None:
        return value is member
    if isinstance(value, int) and isinstance(member, str):
        return value == int(member, 0)
    if isinstance(value, float):
        exact = float(member)
        return value == exact or math.isnan(value) and math.isnan(exact) or value == single(exact)
    if isinstance(value, str) and not isinstance(member, str):
        return json.loads(value) == member
    return value == member


def compare_typed(connection, trace, events):
    """Returns what differs between the tables of events with a column a field, and JSON lines."""
    header = {row[0] for row in connection.execute("DESCRIBE FROM read_etl(?)", [trace]).fetchall()}
    by_name = {}
    for event in events:
        by_name.setdefault((expected(event, "provider"), event.get("event")), []).append(event)
    wrong = []
    for (provider, name), own in by_name.items():
        if name is None:
            continue
        query = f"SELECT * FROM read_etl(?, event := ?, provider := ?) LIMIT {len(own)}"
        names, found = rows(connection, query, trace, name, provider)
        if len(found) != len(own):
            wrong.append(f"{provider} {name}: {len(found)} rows, {len(own)} events")
        # A cut or misfitting event has its fields in other forms.
        whole = [(row, event["fields"]) for row, event in zip(found, own) if event.get("fields") and "problem" not in event]
        for place, column in enumerate(names):
            if column in header:
                continue
            for row, fields in whole:
                if column in fields and row[place] is not None and not agrees(row[place], fields[column]):
                    wrong.append(f"{provider} {name} {column}: {row[place]!r} and {fields[column]!r}")
                    break
    return wrong


def check_trace(connection, program, trace):
    """Returns what is wrong with the tables of a trace, and how many events were compared."""
    events = [json.loads(line) for line in run(program, "dump", trace, "--first", str(EVENTS)).splitlines()]
    wrong = compare(connection, trace, events) + compare_typed(connection, trace, events)
    count = rows(connection, "SELECT count(*) FROM read_etl(?)", trace)[1]
    if count != rows(connection, "SELECT sum(events) FROM etl_types(?)", trace)[1]:
        wrong.append(f"{count} rows, and other counts in etl_types")
    if len(events) < EVENTS and count != [(len(events),)]:
        wrong.append(f"{count} rows, {len(events)} events")
    times = [row[0] for row in rows(connection, "SELECT time_100ns FROM read_etl(?)", trace)[1] if row[0] is not None]
    if times != sorted(times):
        wrong.append("rows are not in order of time")
    return wrong, len(events)


def check_damaged(connection, program, traces, folder):
    """Returns what is wrong with the tables of damaged files: an error is right where the program has one."""
    wrong = []
    chance = random.Random(16)
    small = [trace for trace in traces if os.path.getsize(trace) < 1 << 20]
    for number in range(DAMAGED):
        with open(chance.choice(small), "rb") as file:
            data = bytearray(file.read())
        for _ in range(chance.choice([1, 8, 64])):
            if data:
                data[chance.randrange(len(data))] = chance.randrange(256)
        if number % 4 == 0:
            del data[chance.randrange(len(data) + 1) :]
        path = os.path.join(folder, f"damaged-{number}.etl")
        with open(path, "wb") as file:
            file.write(data)
        try:
            events = len(run(program, "dump", path).splitlines())
        except NotATrace:
            events = None
        try:
            found = len(connection.execute("SELECT * FROM read_etl(?)", [path]).fetchall())
            connection.execute("SELECT * FROM etl_problems(?)", [path]).fetchall()
            connection.execute("SELECT * FROM etl_types(?)", [path]).fetchall()
        except duckdb.Error:
            found = None
        if found != events:
            wrong.append(f"damaged file {number}: {found} rows, {events} events")
    return wrong


def check_arguments(connection, trace):
    """Returns which odd calls do not fail, or fail, or do it with a wrong sentence."""
    wrong = []
    fails = {
        "read_etl(NULL)": "the path is NULL",
        "read_etl([])": "empty",
        "read_etl([NULL])": "NULL",
        "read_etl(7)": "neither",
        "read_etl('no.etl')": "no.etl",
        "'no.etl'": "no.etl",
        "etl_types(NULL)": "NULL",
        "etl_problems([NULL, 'x'])": "NULL",
        f"read_etl('{trace}', threads := 0)": "threads",
        f"read_etl('{trace}', threads := -1)": "threads",
        f"read_etl('{trace}', filter := 'pid ==')": "column 7",
        f"read_etl('{trace}', event := 'No/Such')": "No/Such",
    }
    for table, why in fails.items():
        try:
            connection.execute(f"FROM {table}").fetchall()
            wrong.append(f"{table} does not fail")
        except duckdb.Error as error:
            if why not in str(error):
                wrong.append(f"{table}: {error}")
    nulls = "filter := NULL, event := NULL, provider := NULL, merge := NULL, strict := NULL, threads := NULL"
    plain = connection.execute(f"FROM '{trace}'").fetchall()
    if connection.execute(f"FROM read_etl('{trace}', {nulls})").fetchall() != plain:
        wrong.append("arguments that are NULL change rows")
    return wrong


def check_lives(extension, large, folder):
    """Returns what is wrong with closed connections, an interrupted query, threads, and a file that changes."""
    wrong = []
    for _ in range(5):
        connection = connect(extension)
        connection.execute("FROM read_etl(?)", [large]).fetchmany(10)
        connection.close()
    connection = connect(extension)
    counted = "SELECT provider, event, count(*) FROM read_etl(?) GROUP BY ALL ORDER BY ALL"
    whole = connection.execute(counted, [large]).fetchall()
    found = []
    workers = [threading.Thread(target=lambda: found.append(connection.cursor().execute(counted, [large]).fetchall())) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if found != [whole] * 6:
        wrong.append("threads count differently")
    one = connection.execute("SELECT * FROM read_etl(?, threads := 1)", [large]).fetchall()
    if connection.execute("SELECT * FROM read_etl(?, threads := 7)", [large]).fetchall() != one:
        wrong.append("rows depend on threads")
    connection.execute("SET threads = 1")
    if connection.execute(counted, [large]).fetchall() != whole:
        wrong.append("one thread counts differently")
    wrong += check_interrupt(connection, large)
    path = os.path.join(folder, "changes.etl")
    for source in (large, os.path.join(os.path.dirname(__file__), "../../fixtures/hello.etl"), large):
        shutil.copyfile(source, path)
        os.utime(path, ns=(time.time_ns(), time.time_ns()))
        count = "SELECT count(*) FROM read_etl(?)"
        if connection.execute(count, [path]).fetchall() != connection.execute(count, [source]).fetchall():
            wrong.append("a file that changed is read as it was")
    return wrong


def check_interrupt(connection, large):
    """Returns what is wrong with a query that is interrupted."""
    endless = " UNION ALL ".join(["SELECT max(fields) FROM read_etl($file)"] * 200)
    timer = threading.Timer(0.5, connection.interrupt)
    timer.start()
    begin = time.monotonic()
    try:
        connection.execute(endless, {"file": large}).fetchall()
        return ["a query was not interrupted"]
    except duckdb.InterruptException:
        late = time.monotonic() - begin
    if connection.execute("SELECT 1").fetchall() != [(1,)]:
        return ["an interrupted connection is of no use"]
    return [f"interrupted after {late:.1f} s"] if late > 10 else []


def check_page(extension, folder):
    """Returns which statements of the documentation fail."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    for name in ("trace.etl", "other.etl"):
        shutil.copyfile(os.path.join(root, "fixtures/scheduling.etl"), os.path.join(folder, name))
    with open(os.path.join(root, "docs/duckdb.md"), encoding="utf-8") as file:
        blocks = re.findall(r"```sql\n(.*?)```", file.read(), re.DOTALL)
    statements = [line.strip() for block in blocks for line in block.split(";\n") if line.strip()]
    connection, before, wrong = connect(extension), os.getcwd(), []
    os.chdir(folder)
    for statement in statements:
        try:
            connection.execute(statement).fetchall()
        except duckdb.Error as error:
            wrong.append(f"{statement}: {error}")
    os.chdir(before)
    connection.close()
    return wrong if len(statements) > 10 else [f"the page has only {len(statements)} statements"]


def main(program, extension, *traces):
    """Checks all traces; returns the exit code."""
    program, extension = os.path.abspath(program), os.path.abspath(extension)
    connection = connect(extension)
    compared, failed, refused, wrong = 0, 0, 0, []
    for trace in traces:
        try:
            found, events = check_trace(connection, program, trace)
        except NotATrace:
            refused += 1
            continue
        except (RuntimeError, duckdb.Error) as error:
            found, events = [str(error)], 0
        compared += events
        failed += bool(found)
        wrong += [f"{os.path.basename(trace)}: {line}" for line in found[:5]]
    large = max((trace for trace in traces if os.path.getsize(trace) < 8 << 20), key=os.path.getsize)
    with tempfile.TemporaryDirectory() as folder:
        hello = os.path.join(os.path.dirname(__file__), "../../fixtures/hello.etl")
        others = check_damaged(connection, program, traces, folder)
        others += check_arguments(connection, hello) + check_lives(extension, large, folder)
        others += check_page(extension, folder)
    for line in wrong + others:
        print(line)
    print(
        f"{len(traces) - refused} traces, {compared} events and {DAMAGED} damaged files compared by the extension in "
        f"DuckDB {duckdb.__version__}: {failed} with differences, {len(others)} other findings"
    )
    return 1 if wrong or others else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
