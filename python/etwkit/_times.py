"""Times as the engine has them: units of 100 ns since 1601, UTC."""

from __future__ import annotations

import datetime

_START = datetime.datetime(1601, 1, 1, tzinfo=datetime.timezone.utc)


def ticks(when: datetime.datetime | str | None) -> int | None:
    """Returns a time, or a text in ISO 8601, as the engine has it. Without a zone it is UTC."""
    if when is None:
        return None
    if isinstance(when, str):
        # Python 3.10 does not read the Z.
        when = datetime.datetime.fromisoformat(when[:-1] + "+00:00" if when.endswith("Z") else when)
    if when.tzinfo is None:
        when = when.replace(tzinfo=datetime.timezone.utc)
    elapsed = when - _START
    return (elapsed.days * 86_400 + elapsed.seconds) * 10_000_000 + elapsed.microseconds * 10
