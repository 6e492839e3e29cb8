// What is below the pointer: a tip, and zoom and pan by wheel and drag. `axis.pick`, if there is one, takes a time: by Alt and
// a click, or by any click where `picks` is.
const tip = document.getElementById("tip");
function pointed(canvas, text, picks) {
  let held = null;
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left;
    if (held) {
      const width = (axis.to - axis.from) * ((held.x - x) / box.width);
      held.x = x;
      return view(axis.from + width, axis.to + width);
    }
    showTip(text(x, event.clientY - box.top, box.width), event.clientX, event.clientY);
  });
  canvas.addEventListener("pointerdown", (event) => {
    const x = event.clientX - canvas.getBoundingClientRect().left;
    held = { x, at: x };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointerup", (event) => {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left;
    const isClick = held && Math.abs(x - held.at) < 4;
    held = null;
    // From where the column of pixels begins: what is drawn in it is not before.
    if ((event.altKey || (picks && isClick)) && axis.pick) axis.pick(Math.floor(timeAtX(Math.floor(x), box.width)));
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    const box = canvas.getBoundingClientRect(), at = axis.from + ((event.clientX - box.left) / box.width) * (axis.to - axis.from);
    zoom(event.deltaY + event.deltaX > 0 ? 1.3 : 0.77, at);
  }, { passive: false });
  canvas.addEventListener("dblclick", (event) => {
    const box = canvas.getBoundingClientRect();
    zoom(0.4, axis.from + ((event.clientX - box.left) / box.width) * (axis.to - axis.from));
  });
}
function showTip(text, x, y) {
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = shown(text);
  tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = Math.min(y + 16, innerHeight - tip.offsetHeight - 8) + "px";
}
function about(group, number, x, width) {
  const lane = group.lanes[number];
  if (!lane) return "";
  const [from, to] = [timeAtX(x - 1, width), timeAtX(x + 2, width)];
  const dead = foldedAt(axis.from + (x / width) * (axis.to - axis.from));
  if (dead) return "no events for " + span(dead) + ", folded\nthe next ones: " + stamp(timeAtX(x, width));
  const lines = [lane.label, stamp(timeAtX(x, width))];
  const near = (at) => Math.abs(xOf(at, width) - x) <= 3;
  if (lane.kind === "heat") {
    const { start, step, cells } = lane.data;
    let cell = 0, sum = 0;
    for (let i = 0; i < cells.length; i += 2) {
      cell += cells[i];
      const at = start + cell * step;
      if (at <= to && at + step > from) sum += cells[i + 1];
    }
    lines.push(amount(sum) + " " + group.unit + " here, " + amount(lane.total) + " in all");
  }
  if (lane.kind === "points") for (const [at, value] of lane.data.filter(([at]) => near(at)).slice(0, 5)) lines.push(clock(at, 4) + ": " + decimals(value, 4) + " " + group.unit);
  if (lane.kind === "marks") for (const [at, text] of lane.data.filter(([at]) => near(at)).slice(0, 5)) lines.push(clock(at, 4) + ": " + text);
  if (lane.kind === "spans") for (const [start, end] of lane.data) lines.push((start === null ? "start not known" : "from " + clock(start, 4)) + ", " + (end === null ? "end not known" : "to " + clock(end, 4)));
  if (lane.kind === "buffers") for (const [first, last, used, flags] of lane.data.filter(([a, b]) => a <= to && b >= from).slice(0, 2)) lines.push(used + " % used, " + span(last - first) + (flags & 1 ? ", numbers before it are missing" : "") + (flags & 2 ? ", damaged" : ""));
  return lines.join("\n");
}
