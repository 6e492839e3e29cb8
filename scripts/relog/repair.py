"""Damage traces at random, repair them, and check that every readable event is in a whole file.

    python3 scripts/relog/repair.py target/release/etwkit COUNT SEED TRACE.etl...

Damage is flipped bits, zeros, 0xFF, random bytes, bytes taken out, and ends cut off. Exits with 1 if a repaired file is
not whole or has other events than could be read of the damaged one.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path


def damaged(data: bytearray, chance: random.Random) -> bytearray:
    for _ in range(chance.choice([1, 1, 2, 5])):
        if not data:
            break
        at, length = chance.randrange(len(data)), chance.choice([1, 4, 8, 64, 512, 4096])
        end = min(at + length, len(data))
        match chance.choice(["bit", "zero", "fill", "random", "remove", "cut"]):
            case "bit":
                data[at] ^= 1 << chance.randrange(8)
            case "zero":
                data[at:end] = bytes(end - at)
            case "fill":
                data[at:end] = b"\xff" * (end - at)
            case "random":
                data[at:end] = chance.randbytes(end - at)
            case "remove":
                del data[at:end]
            case "cut":
                del data[at:]
    return data


def events(lines: bytes) -> list[bytes]:
    """The lines of events that are not the header's or the copy's own."""
    own = (b'"BuffersWritten":', b'"event":"Copy"')
    return [line for line in lines.splitlines() if not any(text in line for text in own)]


def main() -> int:
    program, count, seed, traces = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    chance = random.Random(seed)
    repaired = refused = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        broken, whole = Path(folder, "broken.etl"), Path(folder, "whole.etl")

        def run(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
            return subprocess.run([program, "-q", *arguments], capture_output=True, timeout=60)

        while repaired < count:
            trace = chance.choice(traces)
            broken.write_bytes(damaged(bytearray(Path(trace).read_bytes()), chance))
            before = run("dump", broken)
            if before.returncode == 2 or run("repair", broken, "-o", whole).returncode == 2:
                # It is no longer a trace, or of a kind that is not copied.
                refused += 1
                if refused > 10 * count:
                    break
                continue
            repaired += 1
            after, check = run("dump", whole), run("check", "--json", whole)
            is_whole = after.returncode == 0 and json.loads(check.stdout)["verdict"] != "damaged"
            if not is_whole or len(events(before.stdout)) != len(events(after.stdout)):
                wrong += 1
                print(f"{trace}: {len(events(before.stdout))} events, {len(events(after.stdout))} when repaired")
    print(f"{repaired} repaired, {refused} refused, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
