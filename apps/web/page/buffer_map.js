// The buffers of files in the order of their bytes: how full each is, and which are damaged.
"use strict";

const CELL = 9;

function buffer_map({ rows, left_out }, problems, click) {
  const files = new Map();
  for (const row of rows) (files.get(row.file) ?? files.set(row.file, []).get(row.file)).push(row);
  const about = "Each square is a buffer; the fuller, the stronger its color. Red ones are damaged. A click, or Enter, shows the bytes.";
  const more = left_out > 0 ? el("p", {}, counted(left_out, "buffer") + " not shown.") : undefined;
  return el("div", {}, el("h2", {}, "Buffers"), el("p", { class: "about" }, about), more,
    ...[...files].map(([file, buffers]) => one_file(file, buffers, problems.filter(row => row.file === file && row.severity === "damage"), click)));
}

function one_file(file, buffers, damage, click) {
  const canvas = el("canvas", { role: "img", tabindex: "0", "aria-label": "File " + file + ": " + counted(buffers.length, "buffer") + ", "
    + counted(damage.length, "damaged place") + ". Arrow keys go from buffer to buffer, Enter shows the bytes" });
  const name = el("h3", {}, visible(opened.names[file] ?? "File " + file) + ": " + counted(buffers.length, "buffer") + ", " + counted(damage.length, "damaged place"));
  const state = { at: -1 };
  const what = el("p", { "aria-live": "polite" });
  const columns = () => Math.max(1, Math.floor(canvas.clientWidth / CELL));
  const at = event => buffers[Math.floor(event.offsetY / CELL) * columns() + Math.floor(event.offsetX / CELL)];
  const text = one => "Offset " + grouped(one.offset) + ", processor " + one.processor + ", " + (one.used > one.size
    ? grouped(one.used) + " bytes packed into " + grouped(one.size) : grouped(one.used) + " of " + grouped(one.size) + " bytes used");
  const draw = () => draw_map(canvas, buffers, damage, columns(), state.at);
  canvas.addEventListener("mousemove", event => { what.textContent = at(event) ? text(at(event)) : ""; });
  canvas.addEventListener("click", event => { if (at(event)) click({ file, offset: at(event).offset, len: 256 }); });
  canvas.addEventListener("keydown", event => {
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns(), ArrowUp: -columns(), Home: -Infinity, End: Infinity }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      state.at = Math.min(Math.max(0, state.at + by), buffers.length - 1);
      what.textContent = text(buffers[state.at]);
      draw();
    } else if (event.key === "Enter" && state.at >= 0) click({ file, offset: buffers[state.at].offset, len: 256 });
  });
  new ResizeObserver(draw).observe(canvas);
  document.addEventListener("theme", draw);
  return el("div", { class: "map" }, name, canvas, what);
}

function draw_map(canvas, buffers, damage, columns, selected) {
  const width = canvas.clientWidth, height = Math.min(Math.ceil(buffers.length / columns), 2000) * CELL;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.style.height = height + "px";
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, width, height);
  const hits = (one) => damage.some(place => place.offset < one.offset + one.size && place.offset + place.len > one.offset);
  buffers.forEach((one, number) => {
    pen.globalAlpha = 0.2 + 0.8 * Math.min(1, one.used / Math.max(one.size, 1));
    pen.fillStyle = color(damage.length > 0 && hits(one) ? "--bad" : "--accent");
    pen.fillRect((number % columns) * CELL, Math.floor(number / columns) * CELL, CELL - 1, CELL - 1);
  });
  pen.globalAlpha = 1;
  pen.strokeStyle = color("--text");
  if (selected >= 0) pen.strokeRect((selected % columns) * CELL + 0.5, Math.floor(selected / columns) * CELL + 0.5, CELL - 2, CELL - 2);
}
