"""What the checks of engines share: the program's output, and what columns must show of it."""

import json
import subprocess

# Events that are compared of each trace: values of a type are alike.
EVENTS = 20_000
# Columns that JSON lines have no member for, or only if several files are read.
OTHERS = {"time_100ns", "offset", "file"}


class NotATrace(Exception):
    """The program reads nothing of a file."""


def run(program, *arguments):
    """Runs the program; returns what it wrote. Damaged traces give exit code 1, and their events."""
    done = subprocess.run([program, "--quiet", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if done.returncode == 2:
        raise NotATrace
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{arguments}: exit code {done.returncode}")
    return done.stdout


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
        # Ticks that are no date are null.
        return member[:26].rstrip("Z") if "T" in member else None
    return member


def shown(value, column):
    """Returns a value in the form that `expected` has."""
    if value is not None and column == "time":
        return value.strftime("%Y-%m-%dT%H:%M:%S.%f")
    if value is not None and column == "fields":
        return json.loads(value)
    return value
