"""Reads traces by Spark's data source `etl` on a cluster of this machine, and compares groups with `etwkit count`.

    python3 spark_check.py PROGRAM TRACE...

Starts a master and two workers of Spark's standalone mode on the loopback interface. `cargo xtask engines` installs what
it needs (pyspark, the wheel, Java 17 from the system) and runs this. Fails with a list of what differs.
"""

import collections
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import pyspark
from pyspark.sql import SparkSession

from values import NotATrace, expected_groups, free_port, run

WORKERS = 2
# Bytes of a slice: small, so that real traces have several.
SLICE = 1 << 20


@contextlib.contextmanager
def cluster(folder):
    """Starts a master and workers; gives the address of the master."""
    home = pathlib.Path(pyspark.__file__).parent
    environment = {**os.environ, "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    address = f"spark://127.0.0.1:{free_port()}"
    begun = []

    def start(name, *arguments):
        command = [str(home / "bin/spark-class"), f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1", *arguments]
        log = open(os.path.join(folder, f"{name}-{len(begun)}.log"), "wb")
        begun.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log))

    try:
        start("master.Master", "--port", address.rsplit(":", 1)[1], "--webui-port", str(free_port()))
        time.sleep(4)
        for number in range(WORKERS):
            work = os.path.join(folder, f"worker-{number}")
            web = str(free_port())
            start("worker.Worker", "--cores", "1", "--memory", "1g", "--work-dir", work, "--webui-port", web, address)
        yield address
    finally:
        for process in begun:
            process.terminate()
        for process in begun:
            process.wait(60)


def session(address):
    """Returns a session of the cluster, when all workers are there."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(address).appName("etwkit").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.executor.memory", "512m")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    spark = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    for _ in range(120):
        # The driver counts itself.
        if spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() == WORKERS + 1:
            return spark
        time.sleep(0.5)
    raise RuntimeError("the workers do not come")


def groups_of(frame):
    """Returns the same of a data frame."""
    rows = frame.groupBy("provider", "event").count().collect()
    return collections.Counter({(row["provider"], row["event"]): row["count"] for row in rows})


def check(spark, program, traces, folder):
    """Returns what differs."""
    wrong = []
    expected = expected_groups(program, traces)
    source = spark.read.format("etl")

    def same(name, found, wanted):
        if found != wanted:
            wrong.append(f"{name}: {found} and {wanted}"[:500])

    whole = source.load(folder)
    same("partitions", whole.rdd.getNumPartitions(), len(traces))
    same("groups", groups_of(whole), expected)
    sliced = source.option("sliceBytes", SLICE).load(folder)
    slices = sliced.rdd.getNumPartitions()
    same("groups of slices", groups_of(sliced), expected)
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW events USING etl OPTIONS (path '{folder}', columns 'time_100ns,event')")
    query = "SELECT time_100ns, count(*) FROM events GROUP BY 1 ORDER BY 1 NULLS FIRST"
    in_sql = [tuple(row) for row in spark.sql(query).collect()]
    same("order", [at for at, _ in in_sql], sorted((at for at, _ in in_sql), key=lambda at: (at is not None, at or 0)))
    same("rows in SQL", sum(count for _, count in in_sql), sum(expected.values()))
    for event in ("Process/Start", "Image/DCStart"):
        number = sum(count for (_, name), count in expected.items() if name == event)
        if number:
            same(event, source.option("event", event).option("provider", "Windows Kernel").load(folder).count(), number)
    damages = sum(len(json.loads(line).get("problems") or []) for line in infos(program, traces))
    same("problems", source.option("table", "problems").load(folder).count(), damages)
    tables = os.path.join(folder, "..", "parquet")
    os.mkdir(tables)
    for number, trace in enumerate(traces):
        run(program, "export", trace, "-o", os.path.join(tables, f"{number}.parquet"))
    same("Parquet", groups_of(spark.read.parquet(tables)), expected)
    print(f"{len(traces)} traces, {sum(expected.values())} events, {len(expected)} groups, {slices} slices", flush=True)
    return wrong


def infos(program, traces):
    """Returns what the program states about each trace, in JSON."""
    for trace in traces:
        yield run(program, "info", trace, "--json")


def main(program, *traces):
    """Checks all traces; returns the exit code."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.join(scratch, "traces")
        os.mkdir(folder)
        chosen = []
        for number, trace in enumerate(traces):
            copy = os.path.join(folder, f"{number:03}-{os.path.basename(trace)}")
            with contextlib.suppress(NotATrace):
                run(program, "count", trace)
                shutil.copyfile(trace, copy)
                chosen.append(copy)
        with cluster(scratch) as address:
            spark = session(address)
            wrong = check(spark, program, chosen, folder)
            spark.stop()
    for line in wrong:
        print(line)
    print(f"Spark {pyspark.__version__}, a master and {WORKERS} workers: {len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
