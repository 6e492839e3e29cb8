"""What the checks of engines share: the program's output, and what columns must show of it."""

import collections
import datetime
import json
import math
import socket
import struct
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


def expected_groups(program, traces):
    """Returns how many events of each provider and event there are in JSON lines; `count` must have as many in all."""
    groups, counted = collections.Counter(), 0
    for trace in traces:
        for line in run(program, "dump", trace).splitlines():
            event = json.loads(line)
            # `count` has words for events without a name, where columns have null.
            groups[event.get("provider") or event.get("provider_guid"), event.get("event")] += 1
        rows = run(program, "count", trace, "--format", "jsonl").splitlines()
        counted += sum(json.loads(row)["events"] for row in rows)
    if counted != sum(groups.values()):
        raise RuntimeError(f"{counted} events counted, {sum(groups.values())} dumped")
    return groups


def free_port():
    """Returns a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


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
        # Ticks that are not a date are null, and so are times in the machine's zone.
        return member[:26] if "T" in member and member.endswith("Z") else None
    return member


def shown(value, column):
    """Returns a value in the form that `expected` has."""
    if value is not None and column == "time":
        return value.strftime("%Y-%m-%dT%H:%M:%S.%f")
    if value is not None and column == "fields":
        return json.loads(value)
    return value


def differing_fields(columns, events):
    """Returns what differs between columns of fields and the fields of events in JSON.

    A column is its name, its values, and whether these are times: what is not a date is null there.
    """
    wrong = []
    # A cut or misfitting event has its fields in other forms.
    whole = [(row, event["fields"]) for row, event in enumerate(events) if event.get("fields") and "problem" not in event]
    for column, values, are_times in columns:
        for row, fields in whole:
            is_no_date = are_times and values[row] is None and "T" not in str(fields.get(column))
            if column in fields and not is_no_date and not agrees(values[row], fields[column]):
                wrong.append(f"{column}: {values[row]!r} and {fields[column]!r}")
                break
    return wrong


def single(number):
    """Returns a number as a single has it."""
    return struct.unpack("f", struct.pack("f", number))[0]


def agrees(value, member):
    """Returns whether a value of a typed column is what JSON shows."""
    if isinstance(value, dict):
        # Names that come again are numbered in different ways: members are compared in order.
        same = isinstance(member, dict) and len(value) == len(member)
        return same and all(map(agrees, value.values(), member.values()))
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
