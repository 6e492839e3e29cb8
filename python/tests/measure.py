"""Prints how many events a second come out of a trace, and what an event costs.

    python measure.py TRACE
"""

import collections
import sys
import time

import etwkit


def measure(name, events):
    """Prints the best of three runs."""
    best = None
    for _ in range(3):
        begin = (time.perf_counter(), time.process_time(), time.thread_time())
        count = events()
        taken = [end - start for start, end in zip(begin, (time.perf_counter(), time.process_time(), time.thread_time()))]
        best = min(best or taken, taken)
    wall, all_threads, own = best
    print(
        f"{name:24} {count / wall:12,.0f} events/s; processor time per event: {all_threads / count * 1e6:.2f} µs, "
        f"{own / count * 1e6:.2f} µs of it with the interpreter's lock"
    )


def length(iterator):
    """Counts what an iterator yields, without keeping it."""
    last = collections.deque(enumerate(iterator, 1), maxlen=1)
    return last[0][0]


def main(path):
    """Measures a trace."""
    trace = etwkit.open(path)
    fields = ["time", "provider", "event", "pid"]
    measure("dicts()", lambda: length(trace.dicts()))
    measure("dicts(fields=4)", lambda: length(trace.dicts(fields=fields)))
    measure("events()", lambda: length(trace.events()))
    measure("arrow().batches()", lambda: sum(len(batch) for batch in trace.arrow().batches()))
    measure("arrow(4).batches()", lambda: sum(len(batch) for batch in trace.arrow(fields).batches()))


if __name__ == "__main__":
    main(sys.argv[1])
