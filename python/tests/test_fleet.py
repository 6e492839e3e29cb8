"""What reads many traces at once: Spark's data source, and the recipes of docs/fleet.md."""

import collections
import gzip
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import types

import etwkit
import pytest
from conftest import FIXTURES

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
NAMES = ("hello.etl", "many-processors.etl", "damaged-event-size.etl")


def missing(*packages):
    """Skips a test loudly where a package is absent."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"!!!! {package} is not installed !!!!")


@pytest.fixture
def folder(tmp_path):
    """Returns a folder of traces, one of them in a folder below and packed."""
    for name in NAMES[1:]:
        shutil.copyfile(FIXTURES / name, tmp_path / name)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "hello.etl.gz").write_bytes(gzip.compress((FIXTURES / NAMES[0]).read_bytes()))
    (tmp_path / "notes.txt").write_text("no trace")
    return tmp_path


def groups(names=NAMES):
    """Returns how many events of each provider and event the traces have."""
    found = collections.Counter()
    for name in names:
        for event in etwkit.open(FIXTURES / name).dicts():
            found[event.get("provider") or event["provider_guid"], event.get("event")] += 1
    return found


@pytest.fixture(scope="module")
def spark():
    """Returns a session of Spark, in which nothing is registered: the source is found by itself."""
    missing("pyspark")
    if shutil.which("java") is None:
        pytest.skip("!!!! there is no Java !!!!")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def test_spark_reads_folders(spark, folder):
    frame = spark.read.format("etl").load(str(folder))
    assert frame.rdd.getNumPartitions() == len(NAMES)
    rows = frame.groupBy("provider", "event").count().collect()
    assert {(row["provider"], row["event"]): row["count"] for row in rows} == groups()
    times = [row["time_100ns"] for row in frame.select("time_100ns").orderBy("time_100ns").collect()]
    assert times == sorted(times, key=lambda at: (at is not None, at)) and len(times) == sum(groups().values())


def test_spark_has_the_values_of_the_engine(spark):
    path = str(FIXTURES / "many-processors.etl")
    rows = spark.read.format("etl").load(path).orderBy("time_100ns", "cpu", "offset").collect()
    events = etwkit.open(path).arrow().arrow().to_pylist()
    events.sort(key=lambda row: (row["time_100ns"], row["cpu"], row["offset"]))
    assert len(rows) == len(events)
    for row, event in zip(rows, events):
        at = event["time"].replace(tzinfo=None)
        assert {**row.asDict(), "time": at} == {**event, "time": at}


def test_slices_of_a_trace_are_all_of_it(spark):
    names = ("many-processors", "circular-wrapped", "clock-cycles", "headers-all-kinds", "merged-relogged", "prevista")
    for name in (*names, "damaged-truncated", "values"):
        path = str(FIXTURES / f"{name}.etl")
        frame = spark.read.format("etl").option("sliceBytes", 4096).load(path)
        assert frame.count() == etwkit.open(path).info["events"], name
        assert name != "many-processors" or frame.rdd.getNumPartitions() > 3


def test_options_choose(spark, folder):
    source = spark.read.format("etl")
    orders = source.option("event", "CoffeeOrder/Start").option("columns", "time,OrderId").load(str(folder))
    assert orders.columns == ["time", "OrderId"] and orders.count() == groups()["Synth.Cafe", "CoffeeOrder/Start"]
    structs = spark.read.format("etl").option("event", "CoffeeOrder/Start").load(str(folder)).select("Item.Drink", "Item.Cups")
    assert {(row["Drink"], row["Cups"]) for row in structs.collect()} == {("espresso", 2), ("flat white", 1)}
    few = spark.read.format("etl").schema("event string, pid bigint").option("filter", "pid == 1204").load(str(folder))
    assert few.columns == ["event", "pid"] and {row["pid"] for row in few.collect()} <= {1204}
    problems = spark.read.format("etl").option("table", "problems").load(str(folder))
    wanted = sum(len(etwkit.open(FIXTURES / name).problems) for name in NAMES)
    assert problems.count() == wanted > 0
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW traces USING etl OPTIONS (path '{folder}')")
    assert spark.sql("SELECT count(*) FROM traces").collect()[0][0] == sum(groups().values())


def test_mistakes_are_said(spark, folder):
    from pyspark.errors import PySparkException

    for options, words in (
        ({"event": "No/Such"}, "no trace has the event"),
        ({"columns": "colour"}, "colour"),
        ({"table": "colour"}, "option table"),
    ):
        with pytest.raises(PySparkException, match=words):
            spark.read.format("etl").options(**options).load(str(folder)).count()
    with pytest.raises(PySparkException, match="no such file"):
        spark.read.format("etl").load(str(folder / "nowhere")).count()


def test_addresses_are_those_of_fsspec(folder):
    missing("fsspec")
    import fsspec
    from etwkit._files import find, local

    memory = fsspec.filesystem("memory")
    memory.put(str(folder), "/bucket", recursive=True)
    found = find(["memory://bucket/"])
    names = sorted(os.path.basename(path) for path, _ in found)
    assert names == ["damaged-event-size.etl", "hello.etl.gz", "many-processors.etl"]
    assert all(size > 0 for _, size in found)
    for path, _ in found:
        with local(path) as copy:
            assert etwkit.open(copy).info["events"] > 0
        assert not os.path.exists(copy)
    assert len(find(["memory://bucket/*.etl"])) == 2
    assert [path for path, _ in find([str(folder)])] == [path for path, _ in find([f"file://{folder}", str(folder)])]
    with pytest.raises(FileNotFoundError):
        find(["memory://nowhere/"])


def recipe(title):
    """Returns the Python below a title of docs/fleet.md."""
    text = (DOCS / "fleet.md").read_text(encoding="utf-8")
    found = re.search(rf"^#+ {title}\n.*?^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


@pytest.mark.parametrize("name", ["Ray", "Dask"])
def test_recipes_count_right(name, tmp_path):
    missing(name.lower())
    for trace in NAMES:
        shutil.copyfile(FIXTURES / trace, tmp_path / trace)
    code = recipe(name)
    assert len(code.strip().splitlines()) <= 12
    script = tmp_path / "recipe.py"
    script.write_text(code.replace("traces/", f"{tmp_path}/") + "\nprint('rows', counts.sum())", encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    assert f"rows {sum(groups().values())}" in done.stdout, done.stdout[-2000:]


def test_spark_finds_the_source_by_its_package():
    missing("pyspark")
    import pyspark_etl
    from etwkit.spark import EtlDataSource

    assert isinstance(pyspark_etl, types.ModuleType) and pyspark_etl.DefaultSource is EtlDataSource
