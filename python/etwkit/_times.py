"""Times as the engine has them: units of 100 ns since 1601, UTC."""

from __future__ import annotations

import datetime
import re

_START = datetime.datetime(1601, 1, 1, tzinfo=datetime.timezone.utc)
# A fraction of seconds that Python does not read: it knows microseconds.
_FRACTION = re.compile(r"(?<=\d\d)[.,](\d+)")


def ticks(when: datetime.datetime | str | int | None) -> int | None:
    """Returns a time, or a text in ISO 8601, as the engine has it. Without a zone it is UTC. Integers stay."""
    if when is None or isinstance(when, int):
        return when
    # Timestamps of pandas have nanoseconds, and a narrower span than other times.
    rest = getattr(when, "nanosecond", 0) // 100
    if hasattr(when, "to_pydatetime"):
        when = when.to_pydatetime(warn=False)
    if isinstance(when, str):
        fraction = _FRACTION.search(when)
        if fraction is not None:
            digits = fraction[1].ljust(7, "0")
            when = f"{when[: fraction.start()]}.{digits[:6]}{when[fraction.end() :]}"
            rest = int(digits[6])
        # Python 3.10 does not read the Z.
        when = datetime.datetime.fromisoformat(when[:-1] + "+00:00" if when.endswith("Z") else when)
    if when.tzinfo is None:
        when = when.replace(tzinfo=datetime.timezone.utc)
    elapsed = when - _START
    return (elapsed.days * 86_400 + elapsed.seconds) * 10_000_000 + elapsed.microseconds * 10 + rest
