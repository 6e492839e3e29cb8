"""The notebook of the documentation runs, and the page in docs is made of it."""

import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_notebook_runs():
    for package in ("nbclient", "ipykernel", "matplotlib"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"!!!! {package} is not installed !!!!")
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(ROOT / "python/notebook/trace.ipynb", as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    page = (ROOT / "docs/notebook.md").read_text(encoding="utf-8")
    sources = [cell.source for cell in notebook.cells]
    assert all(source.strip() in page for source in sources)
