"""Reads exported Parquet by Ballista on a cluster of this machine, and compares rows with the program and with DuckDB.

    python3 ballista_check.py PROGRAM BALLISTA TRACE...

BALLISTA is the program that `xtask/engines/ballista` makes. Starts a scheduler and two executors on the loopback interface.
`cargo xtask ballista` builds and installs what it needs and runs this. Fails with a list of what differs.
"""

import collections
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

import duckdb

from values import NotATrace, expected_groups, free_port, run

EXECUTORS = 2
# Seconds that the cluster may take to begin, and a query to end.
BEGIN, END = 60, 300

GROUPS = "SELECT provider, event, count(*) AS n FROM events GROUP BY provider, event"
# Orders of integers, times and texts. Their last columns make them definite, but for rows that are alike.
ORDERS = {
    "order by integer": 'SELECT time_100ns, file, "offset", event FROM events ORDER BY 1, 2, 3, 4',
    "order by time": 'SELECT time_100ns, file, "offset" FROM events ORDER BY time DESC NULLS LAST, 1, 2, 3',
    "order by text": "SELECT provider, event, time_100ns, file FROM events ORDER BY 1, 2, 3, 4",
    "order of groups": f"{GROUPS} ORDER BY n DESC, provider, event",
}
LIMITED = f"{ORDERS['order by text']} LIMIT 5000"
# Without this, version 55 leaves out rows of some files where a query has both ORDER BY and LIMIT.
WHOLE_LIMITS = "SET datafusion.optimizer.enable_sort_pushdown = false"


class Cluster:
    """A scheduler and executors, with their logs and what they keep in a folder."""

    def __init__(self, ballista, folder):
        self.ballista, self.folder, self.port = os.path.abspath(ballista), folder, free_port()
        self.begun = []

    def start(self, role, *arguments):
        """Starts a process of the cluster; returns its folder."""
        path = os.path.join(self.folder, f"{role}-{len(self.begun)}")
        os.mkdir(path)
        with open(f"{path}.log", "wb") as log:
            command = [self.ballista, role, "--bind-host", "127.0.0.1", *arguments]
            self.begun.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=path))
        return path

    def start_executor(self):
        """Starts an executor with one task at a time; returns the folder where it keeps what it hands on."""
        ports = [text for name in ("", "-grpc", "-health") for text in (f"--bind{name}-port", str(free_port()))]
        scheduler = ["--scheduler-host", "127.0.0.1", "--scheduler-port", str(self.port)]
        return self.start("executor", *scheduler, *ports, "--vcores", "1", "--work-dir", ".")

    def __enter__(self):
        self.start("scheduler", "--bind-port", str(self.port))
        try:
            self.wait_for_executors(0)
            self.works = [self.start_executor() for _ in range(EXECUTORS)]
            self.wait_for_executors(EXECUTORS)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in self.begun:
            process.terminate()
        for process in self.begun:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(30)
            process.kill()
            process.wait()

    def wait_for_executors(self, number):
        """Waits until the scheduler answers and has a number of executors."""
        begin = time.monotonic()
        while time.monotonic() - begin < BEGIN:
            with contextlib.suppress(OSError):
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/executors", timeout=5) as answer:
                    if len(json.load(answer)) == number:
                        return
            time.sleep(0.5)
        raise RuntimeError(f"the scheduler does not have {number} executors")

    def query(self, *statements):
        """Returns the rows of the last statement; nulls are left out."""
        command = [self.ballista, "client", f"df://127.0.0.1:{self.port}", *statements]
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=END, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def idle(self):
        """Returns the executors that did nothing."""
        return [work for work in self.works if not any(path.is_file() for path in pathlib.Path(work).rglob("*"))]


def events_of(folder):
    """Returns the statement by which a folder of Parquet is the table `events`."""
    return f"CREATE EXTERNAL TABLE events STORED AS PARQUET LOCATION '{folder}/'"


def groups_of(rows):
    """Returns how many events of each provider and event rows count."""
    return collections.Counter({(row.get("provider"), row.get("event")): row["n"] for row in rows})


def in_duckdb(query, folder):
    """Returns the rows of a query of all files of a folder; nulls are left out."""
    found = duckdb.connect().execute(query.replace("FROM events", f"FROM '{folder}/*.parquet'"))
    names = [column[0] for column in found.description]
    return [{name: value for name, value in zip(names, row) if value is not None} for row in found.fetchall()]


def check_whole(cluster, program, traces, folder):
    """Returns what differs in a folder with a file for each trace, and prints what was compared."""
    os.mkdir(folder)
    wrong, compared, table = [], 0, events_of(folder)
    for number, trace in enumerate(traces):
        run(program, "export", trace, "-o", os.path.join(folder, f"{number}.parquet"))
    expected = expected_groups(program, traces)
    found = groups_of(cluster.query(table, GROUPS))
    if found != expected:
        wrong.append(f"groups: {dict(found - expected)} and {dict(expected - found)}"[:500])
    for name, query in {**ORDERS, "order with limit": LIMITED}.items():
        begin = time.monotonic()
        settings = [WHOLE_LIMITS] if query is LIMITED else []
        rows, wanted = cluster.query(*settings, table, query), in_duckdb(query, folder)
        compared += len(rows)
        print(f"{name}: {len(rows)} rows in {time.monotonic() - begin:.1f} s, those of DuckDB included", flush=True)
        if rows != wanted:
            first = next((pair for pair in zip(rows, wanted) if pair[0] != pair[1]), None)
            wrong.append(f"{name}: {len(rows)} rows and {len(wanted)}, {first}"[:500])
    repaired = cluster.query(table, LIMITED) == in_duckdb(LIMITED, folder)
    print(f"order with limit is {'right' if repaired else 'WRONG'} without the setting, as docs/fleet.md states")
    events = sum(expected.values())
    print(f"{len(traces)} traces, {events} events, {len(expected)} groups, {compared} rows in order", flush=True)
    return wrong


def check_by_event(cluster, program, trace, folder):
    """Returns what differs in the tables of each event of a trace: names of folders are columns."""
    run(program, "export", trace, "-o", folder, "--by-event")
    # Types of fields differ from event to event, so that columns are named.
    columns = "time_100ns BIGINT, pid INT UNSIGNED, provider VARCHAR, event VARCHAR"
    parts = "PARTITIONED BY (provider, event)"
    table = f"CREATE EXTERNAL TABLE events ({columns}) STORED AS PARQUET {parts} LOCATION '{folder}/'"
    found, expected = groups_of(cluster.query(table, GROUPS)), expected_groups(program, [trace])
    named = {group: number for group, number in expected.items() if group[1] is not None}
    wrong = [f"tables: {group}: {found[group]} and {number}" for group, number in named.items() if found[group] != number]
    largest = max(pathlib.Path(folder).rglob("events.parquet"), key=os.path.getsize).parent
    rows = len(cluster.query(events_of(largest), "SELECT * FROM events ORDER BY time_100ns"))
    wanted = in_duckdb("SELECT count(*) AS n FROM events", largest)[0]["n"]
    if rows != wanted:
        wrong.append(f"{largest}: {rows} rows and {wanted}")
    print(f"tables: {len(found)} groups, {sum(found.values())} of {sum(expected.values())} events", flush=True)
    print(f"{largest.name}: {rows} rows with all columns", flush=True)
    return wrong


def main(program, ballista, *traces):
    """Checks all traces; returns the exit code."""
    with tempfile.TemporaryDirectory() as scratch:
        chosen = []
        for trace in traces:
            with contextlib.suppress(NotATrace):
                run(program, "count", trace)
                chosen.append(trace)
        with Cluster(ballista, scratch) as cluster:
            wrong = check_whole(cluster, program, chosen, os.path.join(scratch, "parquet"))
            largest = max(chosen, key=os.path.getsize)
            wrong += check_by_event(cluster, program, largest, os.path.join(scratch, "tables"))
            wrong += [f"{work} did nothing" for work in cluster.idle()]
    for line in wrong:
        print(line)
    print(f"a scheduler and {EXECUTORS} executors of Ballista: {len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
