// Lanes: labels as text, values on one canvas per group, and the axis above them.
function fitted(canvas, height) {
  const width = Math.max(50, Math.floor(canvas.clientWidth)), ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = height + "px";
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  return [pen, width];
}
function peak(group) {
  let most = 0;
  for (const lane of group.lanes) {
    if (lane.kind === "points") for (const [, value] of lane.data) most = Math.max(most, value);
  }
  return most;
}
function laneGroup(group, parent) {
  group.peak = peak(group);
  const id = "lane-" + group.id;
  const sum = group.lanes.map((lane) => el("div", { title: whole(lane.total) + " " + group.unit }, group.unit ? amount(lane.total) : ""));
  const canvas = el("canvas", { role: "img", tabindex: "0", "aria-labelledby": id });
  const labels = group.lanes.map((lane) => el("div", { title: shown(lane.label + (lane.detail ? "\n" + lane.detail : "")) }, ...halves(lane.label).filter((half) => half).map((half) => el("span", {}, half))));
  const box = el("div", { class: "group", id: "group-" + group.id }, el("h3", { id }, group.title + (group.unit && group.unit !== group.title.toLowerCase() ? " (" + group.unit + ")" : "")), el("p", { class: "about" }, group.about));
  if (group.left_out) box.append(el("p", { class: "about warnline" }, whole(group.left_out) + " more lanes are not shown."));
  if (group.excess) box.append(el("p", { class: "about warnline" }, whole(group.excess) + " items had no room."));
  box.append(el("div", { class: "lanes" }, el("div", { class: "labels" }, ...labels), canvas, el("div", { class: "labels sum" }, ...sum)));
  parent.append(box);
  const height = ROW * group.lanes.length;
  axis.listeners.push(() => {
    const [pen, width] = fitted(canvas, height);
    drawFolds(pen, width, height);
    prepare(group, width);
    group.lanes.forEach((lane, number) => DRAW[lane.kind](pen, lane, number * ROW, width, group));
  });
  pointed(canvas, (x, y, width) => about(group, Math.floor(y / ROW), x, width));
}
function axisBar(parent) {
  const canvas = el("canvas", { role: "img", "aria-label": "Time axis" });
  const range = el("output", { id: "range" });
  const button = (text, label, act) => el("button", { type: "button", "aria-label": label, onclick: act }, text);
  const tools = el("div", { class: "tools" }, button("−", "Zoom out", () => zoom(2)), button("+", "Zoom in", () => zoom(0.5)), button("◀", "Earlier", () => pan(-0.3)), button("▶", "Later", () => pan(0.3)), button("All", "Show all", () => view(0, 1)), range);
  parent.append(el("div", { class: "axisbar" }, tools, el("div", { class: "lanes" }, el("div", { class: "labels" }, el("div", {}, DATA.time.is_local ? "local time of the machine" : "UTC")), canvas, el("div", {}))));
  axis.listeners.push(() => {
    const [pen, width] = fitted(canvas, 24);
    drawFolds(pen, width, 24);
    ticks(pen, width);
    range.textContent = rangeText(width);
  });
  pointed(canvas, (x, y, width) => stamp(timeAtX(x, width)));
}
// What the axis shows, and what it leaves out.
function rangeText(width) {
  const [from, to] = [timeAtX(0, width), timeAtX(width, width)];
  const length = span(to - from) + (axis.to - axis.from > 0.999999 ? ", " + extentText() : " of " + span(DATA.time.end));
  const dead = DATA.time.folds.reduce((sum, [start, end]) => sum + end - start, 0), gaps = DATA.time.folds.length;
  return stamp(from) + " to " + clock(to, 7) + " (" + length + ")" + (gaps ? "; " + (gaps > 1 ? whole(gaps) + " grey gaps: " : "grey gap: ") + span(dead) + " without events, folded" : "");
}
// The axis begins before the first event where the session does.
function extentText() {
  return (DATA.time.is_from_session ? "start of the session" : "first event") + " to last event";
}
// Times between two ticks: 1, 2, 5 and so on up to a second, then those of clocks and calendars.
const STEPS = [];
for (let ten = 1; ten < SECOND; ten *= 10) STEPS.push(ten, 2 * ten, 5 * ten);
for (const seconds of [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400]) STEPS.push(seconds * SECOND);
const TICK_ROOM = 100;
// Round times in each stretch that is shown, with as many digits of a second as they have; the begin of one that has none.
function roundTimes(width) {
  const [first, last] = [timeAtX(0, width), timeAtX(width, width)];
  const base = BigInt(DATA.time.base);
  return axis.live.flatMap((piece) => {
    const [from, to] = [Math.max(piece.start, first), Math.min(piece.end, last)];
    if (!(from <= to)) return [];
    const least = ((to - from) * TICK_ROOM) / Math.max(1, xOf(to, width) - xOf(from, width));
    const day = STEPS[STEPS.length - 1];
    const step = STEPS.find((each) => each >= least) ?? Math.ceil(least / day) * day;
    const digits = step < SECOND ? Math.ceil(Math.log10(SECOND / step) - 1e-9) : 0;
    const after = Number((base + BigInt(Math.ceil(from))) % BigInt(step));
    const times = [];
    for (let time = Math.ceil(from) + (after === 0 ? 0 : step - after); time <= to; time += step) times.push({ time, digits, isDay: step >= day });
    return times.length > 0 ? times : [{ time: from, digits }];
  });
}
function ticks(pen, width) {
  pen.fillStyle = color("dim");
  pen.font = "11px system-ui, sans-serif";
  let free = 0;
  for (const { time, digits, isDay } of roundTimes(width)) {
    const x = xOf(time, width), text = isDay ? stamp(time).slice(0, 10) : clock(time, digits);
    const wide = pen.measureText(text).width, left = Math.min(Math.max(0, x - wide / 2), width - wide);
    if (left < free) continue;
    pen.fillRect(Math.min(x, width - 1), 17, 1, 7);
    pen.fillText(text, left, 13);
    free = left + wide + 12;
  }
}
// All lanes below their axis.
function timeline(box) {
  axisBar(box);
  DATA.lanes.forEach((group) => laneGroup(group, box));
  keyed(box);
}
function redraw() {
  axis.listeners.forEach((draw) => draw());
}
