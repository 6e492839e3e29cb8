// The view of events: filter, histogram, facets, list, detail.
"use strict";

// `wanted` is a time to go to when all is read.
const list = { grid: null, cache: new Map(), generation: 0, total: 0, row: null, wanted: null, filter: "", over_time: null };
const PAGE = 100;
// How long the bytes of a saved file are kept for the browser.
const KEPT_MS = 60_000;

// Rows of the list, by pages that are kept.
async function fetch_rows(from, count) {
  const rows = [];
  for (let page = Math.floor(from / PAGE); page * PAGE < Math.min(from + count, list.total); page++) {
    const found = await page_of(page);
    rows.push(...found.filter(row => row.row >= from && row.row < from + count));
  }
  return rows;
}

async function page_of(page) {
  const generation = list.generation;
  const whole = (page + 1) * PAGE <= list.total;
  if (list.cache.has(page)) return list.cache.get(page);
  const rows = await ask("rows", { from: page * PAGE, count: PAGE });
  if (generation === list.generation && whole) list.cache.set(page, rows);
  if (list.cache.size > 200) list.cache.delete(list.cache.keys().next().value);
  return rows;
}

// Begins the list of what passes the filter.
async function set_filter(text) {
  const input = document.getElementById("filter");
  const wrong = document.getElementById("wrong");
  input.value = text.trim() === "" ? "" : text;
  try {
    await ask("list", { filter: text });
  } catch (error) {
    input.setAttribute("aria-invalid", "true");
    wrong.textContent = error.column ? " ".repeat(error.column - 1) + "^ " + error.message : error.message;
    return;
  }
  input.setAttribute("aria-invalid", "false");
  wrong.textContent = "";
  document.body.dataset.scanned = "false";
  Object.assign(list, { total: 0, row: null, filter: text.trim() });
  list.generation += 1;
  list.cache.clear();
  list.grid.top = 0;
  list.grid.selected = -1;
  list.grid.set_total(0);
  list.grid.draw();
  document.getElementById("detail").replaceChildren(el("p", {}, "Select an event to see its fields."));
}

// What the scan has found so far. Of a preview, the rest is still being read.
async function list_progress(progress, done, is_preview = false) {
  if (progress.error) return say(progress.error, true);
  const { rows, parts, of } = progress.ok;
  list.total = rows;
  list.grid?.set_total(rows);
  if (is_preview) return say("The first " + counted(rows, "event") + "; the whole trace is being read…");
  const share = Math.floor((100 * parts) / Math.max(of, 1));
  const none = rows > 0 || list.filter === "" ? "" : list.filter === "has message" ? ": none has a message. Clear shows all" : ": none passes the filter. Clear shows all";
  say(done ? counted(rows, "event") + none : counted(rows, "event") + " so far, " + share + " % of the trace read");
  document.getElementById("stop").hidden = done;
  document.body.dataset.scanned = done;
  document.body.dataset.memory = progress.memory;
  if (!done) return;
  show_facets(await ask("facets"));
  if (list.wanted) go_to(list.wanted);
  list.wanted = null;
}

// Reads no further; what was found stays.
async function stop_scan() {
  await engine.stop();
  document.getElementById("stop").hidden = true;
  say(counted(list.total, "event") + "; the rest of the trace was not read");
  document.body.dataset.scanned = "stopped";
  show_facets(await ask("facets"));
}

// Adds a condition to the filter.
function add_condition(condition) {
  const now = document.getElementById("filter").value.trim();
  set_filter(now === "" ? condition : "(" + now + ") and " + condition);
}

function show_facets(facets) {
  const groups = [
    ["Providers", facets.providers],
    ["Events", facets.events],
    ["Processes", facets.processes],
    ["Levels", facets.levels],
  ];
  const total = Math.max(list.total, 1);
  const made = groups.map(([title, values]) => {
    const label = one => {
      if (title === "Processes") return process_name(one);
      return title === "Levels" && LEVELS[one.value] ? LEVELS[one.value] + " (" + one.value + ")" : undefined;
    };
    const buttons = values.slice(0, 30).map(one => facet_button(one, total, label(one)));
    const more = values.length > 30 ? el("p", {}, grouped(values.length - 30) + " more") : undefined;
    return el("div", { class: "facet" }, el("h3", {}, title + " (" + grouped(values.length) + ")"), ...buttons, more);
  });
  document.getElementById("facets").replaceChildren(...made);
  show_over_time(facets.over_time);
}

const LEVELS = ["always", "critical", "error", "warning", "info", "verbose"];

function process_name(one) {
  if (one.of === undefined) return visible(one.value || "no process");
  return one.value === "" ? "PID " + one.of : visible(one.value) + " (" + one.of + ")";
}

function facet_button(one, total, label = undefined) {
  const name = label ?? visible(one.value || "(unknown)");
  const bar = el("i", {});
  bar.style.width = (100 * one.events) / total + "%";
  const click = () => one.condition !== undefined && add_condition(one.condition);
  return el("button", { type: "button", onclick: click, title: name }, el("span", { class: "halves" }, ...halves(name).map(half => el("span", {}, half))),
    el("span", { class: "count" }, grouped(one.events)), bar);
}

// Draws when the events were. The axis is that of all events: it stays, with what was zoomed, when a filter is set.
function show_over_time({ step, cells, ...time }) {
  const total = list.total, is_whole = list.filter === "" && document.body.dataset.scanned === "true";
  if (list.over_time?.is_whole) Object.assign(list.over_time.data, { step, cells, total });
  else {
    const data = { time, step, cells, total };
    const root = document.getElementById("over-time");
    // The code of reports, in a function: see `cargo xtask web`.
    const redraw = report_lanes(data, root, at => go_to(units_at(time, at)), true);
    list.over_time = { is_whole, data, redraw };
    list.observer?.disconnect();
    list.observer = new ResizeObserver(redraw);
    list.observer.observe(root);
  }
  list.over_time.redraw();
}

document.addEventListener("theme", () => list.over_time?.redraw());

function events_view(trace) {
  const filter = el("input", { id: "filter", type: "text", spellcheck: "false", "aria-label": "Filter",
    placeholder: 'provider ~ "Kernel" and pid == 4 and has Size', "aria-describedby": "wrong" });
  const submit = event => { event.preventDefault(); set_filter(filter.value); };
  const form = el("form", { class: "filter", onsubmit: submit }, el("div", { class: "box" }, filter, completed(filter)),
    el("button", {}, "Filter"), el("button", { type: "button", onclick: () => set_filter("") }, "Clear"),
    el("button", { type: "button", onclick: () => export_list("jsonl") }, "Save JSON"),
    el("button", { type: "button", onclick: () => export_list("csv") }, "Save CSV"),
    trace.has_packets ? el("button", { type: "button", onclick: export_packets }, "Save pcapng") : undefined,
    column_menu());
  const grid = el("div", {});
  const histogram = el("div", { id: "over-time", role: "group", "aria-label": "Events over time" });
  const middle = el("div", { id: "list" }, form, el("p", { id: "wrong", class: "wrong", role: "alert" }), histogram, grid);
  const detail = el("aside", { id: "detail", "aria-label": "Selected event" });
  const view = el("section", { id: "events", role: "tabpanel", "aria-label": "events" }, el("aside", { id: "facets", "aria-label": "Counts" }), middle, detail);
  list.grid = new Grid(grid, shown_columns(), fetch_rows, show_detail);
  return view;
}

// Writes what passes the filter to a file.
function export_list(format) {
  return save("events." + format, part => ask("export", { format, part }));
}

// Writes the network packets among it.
function export_packets() {
  const bytes = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));
  return save("packets.pcapng", async part => {
    const hex = await ask("packets", { part });
    return hex === null ? null : bytes(hex);
  });
}

// Saves pieces as a file, until there is none.
async function save(name, piece) {
  const pieces = [];
  try {
    for (let part = 0; ; part++) {
      const found = await piece(part);
      if (found === null) break;
      pieces.push(new Blob([found]));
      if (part % 16 === 0) say_briefly("Saving, part " + grouped(part + 1));
    }
  } catch (error) {
    return say_briefly("Not saved: " + error.message, true);
  }
  const href = URL.createObjectURL(new Blob(pieces));
  el("a", { download: name, href }).click();
  // The browser has taken it by then; without this the file stays in memory.
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
  say_briefly("Saved " + name);
}
