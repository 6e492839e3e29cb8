// The views beside the list of events.
"use strict";

function tile(name, value, is_bad = false) {
  return el("div", { class: is_bad ? "tile bad" : "tile" }, el("b", { "data-tile": name }, visible(value ?? "–")), el("span", {}, name));
}

// The trace in a few numbers.
function overview_view(trace) {
  const tiles = [
    tile("events", grouped(trace.events)), tile("undecoded", grouped(trace.undecoded), trace.undecoded > 0),
    tile("duration", trace.duration === null ? null : duration(trace.duration)),
    tile("events lost", trace.events_lost === null ? null : grouped(trace.events_lost), trace.events_lost > 0),
    tile("problems", grouped(trace.problems), trace.is_damaged), tile("buffers", grouped(trace.buffers)),
    tile("processors", grouped(trace.processors.length)), tile("event types", grouped(trace.types)),
    tile("computer", trace.computer), tile("Windows", trace.product ?? trace.build), tile("session", trace.session),
  ];
  const files = trace.files.map(file => el("li", {}, visible(file.name) + ", " + grouped(file.bytes) + " bytes"));
  const notes = trace.notes.map(note => el("p", { class: "note" }, visible(note)));
  return el("section", { id: "overview" }, el("div", { class: "tiles" }, ...tiles), ...notes,
    el("p", {}, trace.start ? "From " + trace.start + " to " + trace.end + " (UTC)." : "The clock of the trace is not known."),
    el("h2", {}, "Files"), el("ul", {}, ...files), el("h2", {}, "Buffers by processor"), buffer_lanes());
}

// A lane a processor: each buffer at its time, with how full it is.
function buffer_lanes() {
  const root = el("div", {}, el("p", {}, "Reading…"));
  ask("buffers").then(({ rows, left_out }) => {
    const lanes = Map.groupBy ? Map.groupBy(rows, row => row.processor) : group_by(rows, row => row.processor);
    const last = Math.max(1, ...rows.map(row => row.time ?? 0));
    const made = [...lanes].sort(([a], [b]) => a - b).slice(0, 128).map(([processor, buffers]) => {
      const canvas = el("canvas", { role: "img", "aria-label": "Processor " + processor + ": " + buffers.length + " buffers" });
      canvas.style.height = "14px";
      requestAnimationFrame(() => draw_lane(canvas, buffers, last));
      return el("div", {}, el("span", {}, "CPU " + processor + ", " + grouped(buffers.length) + " buffers"), canvas);
    });
    const more = left_out > 0 ? el("p", {}, grouped(left_out) + " buffers are not shown") : undefined;
    root.replaceChildren(...made, more ?? "");
  });
  return root;
}

function group_by(rows, key) {
  const groups = new Map();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row]);
  return groups;
}

function draw_lane(canvas, buffers, last) {
  canvas.width = canvas.clientWidth;
  canvas.height = canvas.clientHeight;
  const pen = canvas.getContext("2d");
  pen.fillStyle = color("--panel");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = color("--accent");
  for (const buffer of buffers) {
    const height = Math.max(1, (canvas.height * Math.min(buffer.used, buffer.size)) / Math.max(buffer.size, 1));
    pen.fillRect(((buffer.time ?? 0) / last) * (canvas.width - 2), canvas.height - height, 2, height);
  }
}

async function processes_view(root) {
  const { rows, left_out } = await ask("processes");
  const columns = [
    { name: "PID", number: true, text: row => row.pid }, { name: "Parent", number: true, text: row => row.parent },
    { name: "Name", text: row => row.name }, { name: "Start", text: row => row.start }, { name: "End", text: row => row.end },
    { name: "Command line", text: row => row.command_line },
  ];
  const click = row => { show_tab("events"); set_filter("header.pid == " + row.pid); };
  root.replaceChildren(table_view(columns, rows, left_out, click));
}

async function requests_view(root) {
  const { rows, left_out } = await ask("requests");
  const columns = [
    { name: "Start", text: row => row.start },
    { name: "Duration", number: true, value: row => row.duration, text: row => duration(row.duration) },
    { name: "Client", text: row => row.client }, { name: "Verb", text: row => row.verb }, { name: "URL", text: row => row.url },
    { name: "Status", number: true, text: row => row.status }, { name: "Error", text: row => row.error },
  ];
  const click = row => { show_tab("events"); set_filter("activity == " + row.activity); };
  root.replaceChildren(table_view(columns, rows, left_out, click));
}

async function problems_view(root) {
  const { rows, left_out } = await ask("problems");
  const columns = [
    { name: "Severity", text: row => row.severity }, { name: "Kind", text: row => row.kind },
    { name: "File", number: true, text: row => row.file }, { name: "Offset", number: true, text: row => row.offset },
    { name: "Bytes", number: true, text: row => row.len }, { name: "What", text: row => row.detail },
  ];
  const bytes = el("pre", { class: "hex" });
  const click = async row => {
    const found = await ask("bytes", { file: row.file, offset: row.offset, len: Math.min(Math.max(row.len, 64), 4096) });
    bytes.textContent = (found.match(/.{1,32}/g) ?? ["no bytes there"]).map((line, at) =>
      (row.offset + at * 16).toString(16).padStart(8, "0") + "  " + (line.match(/../g) ?? [line]).join(" ")).join("\n");
  };
  const none = el("p", {}, "No problems: every byte of the trace was read.");
  root.replaceChildren(rows.length ? table_view(columns, rows, left_out, click) : none, bytes);
}
