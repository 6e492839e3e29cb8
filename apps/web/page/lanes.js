// The lanes of reports in the overview. An engine of its own reads the trace for them, so that the list of events does not
// wait; it ends when they are there. Two engines of a large trace would take too much memory: there the lanes are read on
// demand, by the engine of the list.
"use strict";

let lanes_engine = null;

function end_lanes() {
  lanes_engine?.end();
  lanes_engine = null;
}

function lanes_view(root) {
  end_lanes();
  if (opened.files.reduce((sum, file) => sum + file.size, 0) <= LARGE) return read_lanes(root, new Engine());
  const read = () => read_lanes(root, null);
  root.replaceChildren(el("p", {}, el("button", { type: "button", onclick: read }, "Read the trace for lanes"),
    " The list of events does not move meanwhile."));
}

// By an engine of its own, or by that of the list.
async function read_lanes(root, own) {
  const files = opened.files;
  lanes_engine = own;
  root.replaceChildren(el("p", { role: "status" }, "Lanes over time: the trace is being read for them…"));
  try {
    await own?.open(files);
    const data = await (own ?? engine).ask("lanes");
    if (opened.files === files) draw_lanes(data, root);
  } catch (error) {
    if (opened.files === files) root.replaceChildren(el("p", { class: "wrong" }, "No lanes: " + error.message));
  }
  own?.end();
}

function draw_lanes(data, root) {
  const box = el("div", { class: "timeline" });
  root.replaceChildren(el("p", { class: "about" }, "Drag to move, double-click or Ctrl and wheel to zoom; with a lane in focus, "
    + "arrow keys, + and −, 0 for all. Alt and a click show the events of that time."), box);
  const pick = at => go_to(units_at(data.time, at));
  // The code of reports, in a function: see `cargo xtask web`.
  const redraw = report_lanes(data, box, pick, false);
  new ResizeObserver(redraw).observe(box);
  document.addEventListener("theme", redraw);
  document.body.dataset.lanes = data.lanes.length;
}
