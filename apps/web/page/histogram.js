// The histogram over time, on the axis that lanes have: it folds, zooms and moves as they do. This file is in the function
// with the code of reports: see `cargo xtask web`.
const HISTOGRAM = 44;

function histogram(root) {
  const lane = () => ({ label: "Events over time", kind: "heat", total: DATA.total, data: { start: 0, step: DATA.step, cells: DATA.cells } });
  const canvas = el("canvas", { id: "histogram", class: "histogram", role: "img", tabindex: "0",
    "aria-describedby": "histogram-range", "aria-label": "Events over time. Arrow keys move, + and − zoom, 0 shows all, Enter goes to the first event shown" });
  const scale = el("canvas", { class: "scale", role: "img", "aria-label": "Time axis" });
  const range = el("span", { id: "histogram-range" });
  root.replaceChildren(canvas, scale, el("p", { class: "caption" }, range, ". Logarithmic; a click goes there, Ctrl and the wheel zoom, a drag moves."));
  axis.listeners.push(() => {
    const [pen, width] = fitted(canvas, HISTOGRAM);
    drawFolds(pen, width, HISTOGRAM);
    draw_bars(pen, columnSums(lane(), width));
    const [low, wide] = fitted(scale, 24);
    drawFolds(low, wide, 24);
    ticks(low, wide);
    range.textContent = rangeText(width);
  });
  pointed(canvas, (x, y, width) => about({ lanes: [lane()], unit: "events" }, 0, x, width), true);
  keyed(root);
  canvas.addEventListener("keydown", (event) => { if (event.key === "Enter") axis.pick(timeOf(axis.from)); });
}
// Logarithmic: one event is seen beside a million.
function draw_bars(pen, sums) {
  const most = Math.log1p(sums.reduce((a, b) => Math.max(a, b), 1));
  pen.fillStyle = color("bar");
  sums.forEach((sum, x) => {
    if (sum === 0) return;
    const height = Math.max(2, (Math.log1p(sum) / most) * (HISTOGRAM - 2));
    pen.fillRect(x, HISTOGRAM - height, 1, height);
  });
}
