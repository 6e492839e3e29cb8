"""Reads Windows .etl traces (Event Tracing for Windows) on any system.

    import etwkit

    trace = etwkit.open("trace.etl")
    for event in trace.events(filter='provider ~ "Kernel" and pid == 4', first=10):
        print(event.time, event.event, event.fields)
    frame = trace.table("Process/Start").pandas()

`Trace` is what `open` returns, `Table` a table of its events, `Event` one event. Nothing but Python is needed;
`pandas`, `polars`, `duckdb` and `pyarrow` are used where they are asked for.
"""

from ._native import ANALYSES, EtlError, Event, __version__
from ._table import Table
from ._trace import Trace, open

__all__ = ["ANALYSES", "EtlError", "Event", "Table", "Trace", "__version__", "open"]
