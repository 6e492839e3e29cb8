"""What the tests have in common.

The traces are the fixtures of the repository, and real ones where `ETWKIT_SHARED` names a folder with `corpus/`. The program
that JSON lines are compared with is `ETWKIT_PROGRAM`.
"""

import json
import os
import pathlib
import subprocess
import sys

import pytest

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "fixtures"
# What it shares with the checks of other engines.
sys.path.append(str(FIXTURES.parent / "xtask/engines"))
# Events of a trace that are compared: values of a type are alike.
EVENTS = 2_000


def program() -> str:
    """Returns the path of the program."""
    found = os.environ.get("ETWKIT_PROGRAM")
    if not found:
        pytest.skip("!!!! ETWKIT_PROGRAM is not set: nothing to compare with !!!!")
    return found


def lines(*arguments: str) -> list[dict] | None:
    """Returns what the program prints as JSON lines; None if it refuses the file."""
    command = [program(), "--quiet", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if done.returncode == 2:
        return None
    assert done.returncode in (0, 1), command
    return [json.loads(line) for line in done.stdout.splitlines()]


def traces() -> list[str]:
    """Returns the paths of all fixtures, and of the real traces that are there."""
    found = sorted(str(path) for path in FIXTURES.glob("*.etl"))
    shared = os.environ.get("ETWKIT_SHARED")
    if shared:
        found += sorted(str(path) for path in pathlib.Path(shared, "corpus").rglob("*.etl"))
    return found


@pytest.fixture
def hello() -> str:
    """Returns the path of a small trace."""
    return str(FIXTURES / "hello.etl")


@pytest.fixture
def many() -> str:
    """Returns the path of a trace of several processors."""
    return str(FIXTURES / "many-processors.etl")
