"""Reads traces by the DuckDB extension, and compares its values with JSON lines.

    python3 duckdb_check.py PROGRAM EXTENSION TRACE...

`cargo xtask engines` installs versions of DuckDB and runs this with each. Fails with a list of what differs.
"""

import json
import os
import random
import re
import shutil
import sys
import tempfile
import threading
import time

import duckdb

from values import EVENTS, OTHERS, NotATrace, differing_fields, expected, run, shown

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
    return compare_rows(*rows(connection, f"SELECT * FROM read_etl(?) LIMIT {EVENTS}", trace), events)


def compare_rows(names, found, events):
    """The same of rows, by the names of their columns."""
    if len(found) != len(events):
        return [f"{len(found)} rows, {len(events)} events"]
    wrong = []
    for place, column in enumerate(names):
        for row, event in zip(found, events):
            if column not in OTHERS and shown(row[place], column) != expected(event, column):
                wrong.append(f"{column}: {row[place]!r} and {expected(event, column)!r}")
                break
    return wrong


def compare_typed(connection, trace, events):
    """Returns what differs between the tables of events with a column per field, and JSON lines."""
    header = {row[0] for row in connection.execute("DESCRIBE FROM read_etl(?)", [trace]).fetchall()}
    by_name = {}
    for event in events:
        by_name.setdefault((expected(event, "provider"), event.get("event")), []).append(event)
    wrong = []
    for (provider, name), own in by_name.items():
        if name is None:
            continue
        table = "FROM read_etl(?, event := ?, provider := ?)"
        names, found = rows(connection, f"{table} LIMIT {len(own)}", trace, name, provider)
        if len(found) != len(own):
            wrong.append(f"{provider} {name}: {len(found)} rows, {len(own)} events")
            continue
        types = connection.execute(f"DESCRIBE {table}", [trace, name, provider]).fetchall()
        times = {row[0] for row in types if row[1].startswith("TIMESTAMP")}
        columns = [
            (column, [row[place] for row in found], column in times)
            for place, column in enumerate(names)
            if column not in header
        ]
        wrong += [f"{provider} {name} {line}" for line in differing_fields(columns, own)]
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
        wrong += failing(connection, table, why)
    nulls = "filter := NULL, event := NULL, provider := NULL, merge := NULL, strict := NULL, threads := NULL"
    plain = connection.execute(f"FROM '{trace}'").fetchall()
    if connection.execute(f"FROM read_etl('{trace}', {nulls})").fetchall() != plain:
        wrong.append("arguments that are NULL change rows")
    # A point in time, however many digits it is written with.
    times = {"EndTime == 2026-01-02T03:05:05Z": 1, "EndTime > 2026-01-02T03:05:05Z": 0}
    for condition, events in times.items():
        query = f"SELECT count(*) FROM read_etl('{trace}', filter := '{condition}')"
        if connection.execute(query).fetchone() != (events,):
            wrong.append(f"{condition} does not choose {events} events")
    return wrong


def check_descriptions(connection, program, folder):
    """Returns what is wrong with events that are described by files which a statement names."""
    here = os.path.dirname(os.path.abspath(__file__))
    plain, messages = (os.path.join(here, "../../fixtures", name) for name in ("private-logger.etl", "message-items.etl"))
    described = {name: os.path.join(here, "brought", name) for name in ("plain.schema", "plain.man", "items.tmf")}
    empty = os.path.join(folder, "empty")
    os.mkdir(empty)
    wrong = []
    for trace, option, name, members in (
        (plain, "schemas", "plain.schema", ("Number", "Text")),
        (plain, "schemas", "plain.man", ("Count", "Words")),
        (messages, "symbols", "items.tmf", ("name", "title")),
    ):
        file = described[name]
        events = [json.loads(line) for line in run(program, "dump", trace, f"--{option}", file).splitlines()]
        own = [event for event in events if event.get("fields", {}).keys() == set(members)]
        alone = os.path.join(folder, f"brought-{name}")
        os.mkdir(alone)
        shutil.copy(file, alone)
        for path in (file, f"{alone}; {file} ;"):
            names, found = rows(connection, f"SELECT * FROM read_etl(?, {option} := ?)", trace, path)
            wrong += [f"{name}: {line}" for line in compare_rows(names, found, events)]
        query = f"SELECT DISTINCT provider, event FROM etl_types(?, {option} := ?) WHERE undecoded IS NULL"
        kinds = rows(connection, query, trace, file)[1]
        typed = {(event["provider"], event["event"]) for event in own}
        if not own or not typed <= set(kinds):
            wrong.append(f"{name}: {kinds}, and {typed}")
        for provider, event in typed:
            query = f"SELECT {', '.join(members)} FROM read_etl(?, event := ?, provider := ?, {option} := ?)"
            found = rows(connection, query, trace, event, provider, file)[1]
            if found != [tuple(event["fields"][member] for member in members) for event in own]:
                wrong.append(f"{name}: {found}")
        # What is kept of the first pass is not that with descriptions.
        undescribed = [json.loads(line) for line in run(program, "dump", trace).splitlines()]
        wrong += compare_rows(*rows(connection, "SELECT * FROM read_etl(?)", trace), undescribed)
    for arguments, why in (
        ("schemas := 'no/such'", "no/such"),
        (f"schemas := '{described['items.tmf']}'", "items.tmf"),
        (f"symbols := '{described['plain.man']}'", "no definitions of WPP messages"),
        (f"schemas := '{empty}'", "no schemas in this folder"),
    ):
        wrong += failing(connection, f"read_etl('{plain}', {arguments})", why)
    return wrong


def failing(connection, table, why):
    """Returns what is wrong if a table does not fail for a reason."""
    try:
        connection.execute(f"FROM {table}").fetchall()
    except duckdb.Error as error:
        return [] if why in str(error) else [f"{table}: {error}"]
    return [f"{table} does not fail"]


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


def check_again(connection, trace):
    """Returns in which ways a trace cannot be read more than once."""
    plain = connection.execute("FROM read_etl(?)", [trace]).fetchall()
    relation = connection.sql(f"FROM '{trace}'")
    wrong = [f"relation, time {number}" for number in (1, 2) if relation.fetchall() != plain]
    connection.execute(f"CREATE OR REPLACE VIEW again AS FROM '{trace}'")
    connection.execute(f"PREPARE again AS SELECT count(*) FROM read_etl('{trace}')")
    squared = [(len(plain) ** 2,)]
    for statement, wanted in (
        ("FROM again", plain),
        ("SELECT count(*) FROM again AS one, again AS two", squared),
        (f"WITH own AS MATERIALIZED (FROM '{trace}') SELECT count(*) FROM own AS one, own AS two", squared),
        ("SELECT count(*) FROM relation AS one, relation AS two", squared),
        ("EXECUTE again", [(len(plain),)]),
    ):
        # Not in a comprehension: `relation` is found by the name of the variable.
        first, second = connection.sql(statement).fetchall(), connection.sql(statement).fetchall()
        wrong += [f"{statement}: other rows"] if (first, second) != (wanted, wanted) else []
    return wrong


def check_interrupt(connection, large):
    """Returns what is wrong with a query that is interrupted."""
    # Each is of its own: DuckDB 1.5 scans once for parts that are alike.
    parts = (f"SELECT max(fields) FROM read_etl($file, filter := 'tid != {number}')" for number in range(200))
    endless = " UNION ALL ".join(parts)
    over = threading.Event()

    def interrupt():
        # Again and again: a statement that is still being bound takes no notice.
        while not over.wait(0.5):
            connection.interrupt()

    worker = threading.Thread(target=interrupt)
    worker.start()
    begin = time.monotonic()
    try:
        connection.execute(endless, {"file": large}).fetchall()
        return ["a query was not interrupted"]
    except duckdb.InterruptException:
        late = time.monotonic() - begin
    finally:
        over.set()
        worker.join()
    if connection.execute("SELECT 1").fetchall() != [(1,)]:
        return ["an interrupted connection is of no use"]
    return [f"interrupted after {late:.1f} s"] if late > 10 else []


def check_page(extension, folder):
    """Returns which statements of the documentation fail."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    for name, source in (("trace.etl", "scheduling"), ("other.etl", "scheduling"), ("cafe.etl", "hello")):
        shutil.copyfile(os.path.join(root, f"fixtures/{source}.etl"), os.path.join(folder, name))
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
        others += check_arguments(connection, hello) + check_again(connection, hello)
        others += check_lives(extension, large, folder)
        others += check_descriptions(connection, program, folder) + check_page(extension, folder)
    for line in wrong + others:
        print(line)
    print(
        f"{len(traces) - refused} traces, {compared} events and {DAMAGED} damaged files compared by the extension in "
        f"DuckDB {duckdb.__version__}: {failed} with differences, {len(others)} other findings"
    )
    return 1 if wrong or others else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
