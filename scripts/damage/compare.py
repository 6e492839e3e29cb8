"""Compare what two builds state about undamaged traces: problems, exit codes, event counts and JSON lines.

    python3 scripts/damage/compare.py BEFORE AFTER FOLDER...

Exits with 1 if a trace has another count, other lines, another exit code or a problem that it did not have.
"""

import hashlib
import json
import subprocess
import sys
from pathlib import Path


def seen(program: str, trace: Path) -> tuple:
    """The exit codes of `info` and `dump`, the count, the problems, and the digest of all lines."""
    info = subprocess.run([program, "-q", "info", "--json", trace], capture_output=True)
    told = json.loads(info.stdout) if info.stdout else {}
    problems = sorted((p["kind"], p["severity"], p["offset"], p["len"]) for p in told.get("problems", []))
    with subprocess.Popen([program, "-q", "dump", trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
        digest = hashlib.file_digest(run.stdout, "sha256").hexdigest()
    return info.returncode, run.returncode, told.get("events"), problems, digest


def main() -> int:
    before, after, *folders = sys.argv[1:]
    traces = sorted(
        path for folder in folders for path in Path(folder).rglob("*") if path.suffix in {".etl", ".blg", ".btl"}
    )
    differ = 0
    for trace in traces:
        old, new = seen(before, trace), seen(after, trace)
        if old != new:
            differ += 1
            print(f"{trace}:\n  {old}\n  {new}")
    print(f"{len(traces)} traces, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
