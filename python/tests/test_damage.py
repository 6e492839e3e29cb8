"""Damaged files never end the process: each is read in full, or refused by an exception."""

import pathlib
import random
import subprocess
import sys

import pytest
from conftest import FIXTURES

# Files that are damaged, and how often.
ORIGINALS = ["hello.etl", "many-processors.etl", "damaged-event-size.etl"]
CASES = 20

READ = """
import sys, etwkit, pyarrow
for path in sys.argv[1:]:
    try:
        trace = etwkit.open(path)
        count = sum(1 for _ in trace.dicts())
        assert count == trace.info["events"] == pyarrow.table(trace).num_rows == sum(1 for _ in trace.events())
        trace.problems, trace.types, trace.stacks(), trace.analyze("processes"), trace.polars()
        for row in trace.types:
            trace.table(row["event"], row["provider"]).arrow()
        print("read", count)
    except (etwkit.EtlError, OSError) as error:
        print("refused", error)
"""


@pytest.mark.parametrize("name", ORIGINALS)
def test_damaged_files_are_read_or_refused(tmp_path, name):
    data = (FIXTURES / name).read_bytes()
    paths = []
    for case in range(CASES):
        damage = random.Random(f"{name} {case}")
        copy = bytearray(data)
        if case % 2:
            del copy[damage.randrange(len(copy)) :]
        else:
            for _ in range(damage.choice([1, 10, 1000])):
                copy[damage.randrange(len(copy))] = damage.randrange(256)
        path = pathlib.Path(tmp_path, f"{case}.etl")
        path.write_bytes(copy)
        paths.append(str(path))
    done = subprocess.run([sys.executable, "-c", READ, *paths], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    outcomes = [line.split()[0] for line in done.stdout.splitlines()]
    assert len(outcomes) == CASES and "read" in outcomes
