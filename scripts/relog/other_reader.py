"""Compare copies of traces with what dissect.etl, another reader, finds in them.

    python3 -m venv venv && venv/bin/pip install dissect.etl
    venv/bin/python scripts/relog/other_reader.py target/release/etwkit TRACE.etl...

Each trace is copied whole, by level and by time, without compression (dissect.etl reads none), and the events of each copy
are counted by both readers. Exits with 1 if a count differs.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from dissect.etl import ETL

FILTERS = [[], ["--level", "3"], ["--time", "+0s..+1s"]]


def main() -> int:
    program, traces = sys.argv[1], sys.argv[2:]
    copies = differ = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy.etl")
        for trace in traces:
            for options in FILTERS:
                run = subprocess.run([program, "-q", "relog", trace, "-o", copy, *options], capture_output=True)
                if run.returncode == 2:
                    print(f"{trace}: refused: {run.stderr.decode().strip()}")
                    break
                lines = subprocess.run([program, "-q", "dump", copy], capture_output=True).stdout.splitlines()
                with copy.open("rb") as file:
                    events = sum(1 for _ in ETL(file))
                copies += 1
                if events != len(lines):
                    differ += 1
                    print(f"{trace} {options}: {len(lines)} events, {events} by dissect.etl")
    print(f"{copies} copies, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
