"""Traces by path, folder, pattern or address of an object store."""

from __future__ import annotations

import contextlib
import fnmatch
import glob
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

# What folders are searched for, as the program does.
_PATTERNS = ("*.etl", "*.btl", "*.blg", "*.etl.gz", "*.etl.zip", "*.diagsession")
_NUMBERED = re.compile(r".*\.etl\.\d+$", re.IGNORECASE)


def find(paths: Iterable[str]) -> list[tuple[str, int]]:
    """Returns the traces that paths, folders, patterns and addresses mean, with their sizes in bytes, each once.

    An address is one of fsspec, such as `s3://bucket/traces/` (needs fsspec, and its package for that store). Raises
    `FileNotFoundError` if one of them means no file.
    """
    found: dict[str, int] = {}
    for path in paths:
        files = dict(_remote(path) if is_address(path) else _local(_plain(path)))
        if not files:
            raise FileNotFoundError(f"{path}: no such file, and no trace in such a folder")
        found.update(files)
    return list(found.items())


def is_address(path: str) -> bool:
    """Returns whether a path is that of another file system."""
    return "://" in path and not path.startswith("file://")


@contextlib.contextmanager
def local(path: str) -> Iterator[str]:
    """Gives a path that the engine can open: of an address, a temporary copy, which is removed in the end."""
    if not is_address(path):
        yield _plain(path)
        return
    system, inner = _system(path)
    with tempfile.TemporaryDirectory(prefix="etwkit-") as folder:
        # The extension means nothing, but problems name the file.
        copy = os.path.join(folder, os.path.basename(inner) or "trace.etl")
        system.get_file(inner, copy)
        yield copy


def _local(path: str) -> Iterator[tuple[str, int]]:
    if os.path.isfile(path):
        yield path, os.path.getsize(path)
        return
    if os.path.isdir(path):
        for folder, _, names in sorted(os.walk(path)):
            files = (os.path.join(folder, name) for name in sorted(names) if _is_trace(name))
            yield from ((file, os.path.getsize(file)) for file in files)
        return
    for file in sorted(glob.glob(path, recursive=True)):
        yield from _local(file)


def _remote(path: str) -> Iterator[tuple[str, int]]:
    system, inner = _system(path)
    if any(mark in inner for mark in "*?["):
        files = {name: fact for name, fact in system.glob(inner, detail=True).items() if fact["type"] == "file"}
    elif system.isfile(inner):
        files = {inner: system.info(inner)}
    else:
        files = {name: fact for name, fact in system.find(inner, detail=True).items() if _is_trace(name)}
    scheme = path.split("://", 1)[0]
    for name, fact in sorted(files.items()):
        full = name if "://" in name else f"{scheme}://{name}"
        yield full, int(fact.get("size") or 0)


def _system(path: str) -> tuple[Any, str]:
    """Returns the file system of an address, and what the path is called there."""
    from fsspec.core import url_to_fs

    system, inner = url_to_fs(path)
    return system, inner


def _plain(path: str) -> str:
    """Returns a local path without its scheme."""
    if not path.startswith("file://"):
        return path[5:] if path.startswith("file:/") else path
    from urllib.request import url2pathname

    return url2pathname(path[len("file://") :])


def _is_trace(name: str) -> bool:
    lower = os.path.basename(name).lower()
    return any(fnmatch.fnmatch(lower, pattern) for pattern in _PATTERNS) or bool(_NUMBERED.match(lower))
