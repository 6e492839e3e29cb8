// The views beside the list of events.
"use strict";

function tile(name, value, is_bad = false, about = undefined) {
  return el("div", { class: is_bad ? "tile bad" : "tile", title: about, role: "group", "aria-label": name, "aria-description": about },
    el("b", { "data-tile": name }, visible(value || "not recorded")), el("span", {}, name));
}

const DURATION = "From the first event to the last. The session may have begun before: the lanes below start with it.";

// The trace in a few numbers.
function overview_view(trace, is_preview) {
  const tiles = [
    tile("events", grouped(trace.events)), tile("undecoded", grouped(trace.undecoded), trace.undecoded > 0),
    tile("first to last event", trace.duration === null ? null : duration(trace.duration), false, DURATION),
    tile("events lost", trace.events_lost === null ? null : grouped(trace.events_lost), trace.events_lost > 0),
    tile("problems", grouped(trace.problems), trace.is_damaged), tile("buffers", grouped(trace.buffers)),
    tile("processors with events", grouped(trace.processors.length)), tile("event types", grouped(trace.types)),
    tile("computer", trace.computer), tile("Windows", trace.product ?? trace.build), tile("session", trace.session),
  ];
  const files = trace.files.map(file => el("li", {}, visible(file.name) + ", " + grouped(file.bytes) + " bytes"));
  const notes = trace.notes.map(note => el("p", { class: "note" }, visible(note)));
  const lanes = el("div", { id: "lanes" });
  if (!is_preview) lanes_view(lanes);
  return el("section", { id: "overview", role: "tabpanel", "aria-label": "overview" }, el("div", { class: "tiles" }, ...tiles), ...notes,
    el("p", {}, trace.start ? "Events from " + plain_time(trace.start) + " to " + plain_time(trace.end) + " UTC." : "The clock of the trace is not known."),
    el("h2", {}, "Over time"), lanes, el("h2", {}, "Files"), el("ul", {}, ...files));
}

// A time as the list of events and the lanes show it.
function plain_time(text) {
  return (text ?? "").replace("T", " ").replace("Z", "");
}

async function processes_view(root) {
  const { rows, left_out } = await ask("processes");
  if (rows.length === 0) {
    root.replaceChildren(el("p", {}, "The trace names no processes. They are recorded with the kernel flag PROC_THREAD; the list of "
      + "events has the numbers of those that wrote events."));
    return;
  }
  const columns = [
    { name: "PID", number: true, text: row => row.pid }, { name: "Parent", number: true, text: row => row.parent },
    { name: "Name", kind: "name", text: row => row.name }, { name: "Start (UTC)", time: true, text: row => plain_time(row.start) }, { name: "End (UTC)", time: true, text: row => plain_time(row.end) },
    { name: "Command line", kind: "wide", text: row => row.command_line },
  ];
  const click = row => { show_tab("events"); set_filter("header.pid == " + row.pid); };
  root.replaceChildren(el("p", { class: "about" }, "A process without a start or an end was there before or after the trace. A click, or Enter, shows its events."),
    table_view(columns, rows, left_out, click));
}

async function requests_view(root) {
  const { rows, left_out } = await ask("requests");
  const columns = [
    { name: "Start (UTC)", time: true, text: row => plain_time(row.start) },
    { name: "Duration", number: true, value: row => row.duration, text: row => duration(row.duration) },
    { name: "Client", text: row => row.client }, { name: "Verb", text: row => row.verb }, { name: "URL", kind: "wide", text: row => row.url },
    { name: "Status", number: true, text: row => row.status }, { name: "Error", text: row => row.error },
  ];
  const click = row => { show_tab("events"); set_filter("activity == " + row.activity); };
  root.replaceChildren(table_view(columns, rows, left_out, click));
}

// Problems, and the buffers of each file in their order; a click on either shows the bytes there.
async function problems_view(root) {
  const [{ rows, left_out }, buffers] = await Promise.all([ask("problems"), ask("buffers")]);
  const columns = [
    { name: "Severity", text: row => row.severity }, { name: "Kind", text: row => row.kind },
    { name: "File", number: true, text: row => row.file }, { name: "Offset", number: true, text: row => row.offset },
    { name: "Bytes", number: true, text: row => row.len }, { name: "What", kind: "wide", text: row => row.detail },
  ];
  const bytes = el("pre", { class: "hex", tabindex: "0", role: "region", "aria-label": "Bytes", hidden: true });
  const click = async ({ file, offset, len }) => {
    const found = await ask("bytes", { file, offset, len: Math.min(Math.max(len, 64), 4096) });
    const line = (line, at) => (offset + at * 16).toString(16).padStart(8, "0") + "  " + (line.match(/../g) ?? [line]).join(" ");
    bytes.textContent = (found.match(/.{1,32}/g) ?? ["no bytes there"]).map(line).join("\n");
    bytes.hidden = false;
  };
  const none = el("p", {}, "No problems: every byte of the trace was read.");
  root.replaceChildren(rows.length ? table_view(columns, rows, left_out, click) : none, bytes, buffer_map(buffers, rows, click));
}
