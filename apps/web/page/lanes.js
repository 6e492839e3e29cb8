// The lanes of reports in the overview. A worker of its own reads the trace for them, so that the list of events does not
// wait; it ends when they are there.
"use strict";

let lanes_engine = null;

function end_lanes() {
  lanes_engine?.end();
  lanes_engine = null;
}

async function read_lanes(root) {
  end_lanes();
  const reader = new Engine();
  lanes_engine = reader;
  root.replaceChildren(el("p", { role: "status" }, "Lanes over time: the trace is being read for them…"));
  try {
    await reader.open(opened.files);
    const data = await reader.ask("lanes");
    if (lanes_engine === reader) draw_lanes(data, root);
  } catch (error) {
    if (lanes_engine === reader) root.replaceChildren(el("p", { class: "wrong" }, "No lanes: " + error.message));
  }
  if (lanes_engine === reader) end_lanes();
}

function draw_lanes(data, root) {
  const box = el("div", { class: "timeline" });
  root.replaceChildren(el("p", { class: "about" }, "Drag to move, double-click or Ctrl and wheel to zoom; with a lane in focus, "
    + "arrow keys, + and −, 0 for all. Alt and a click show the events of that time."), box);
  const base = BigInt(data.time.base);
  const pick = at => go_to({ units: String(base + BigInt(Math.round(at))), from_start: false });
  // The code of reports, in a function: see `cargo xtask web`.
  const redraw = report_lanes(data, box, pick);
  new ResizeObserver(redraw).observe(box);
  document.addEventListener("theme", redraw);
  document.body.dataset.lanes = data.lanes.length;
}
