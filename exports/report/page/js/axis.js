// The time axis that all lanes share: live stretches are drawn in proportion, dead ones between them fold to a gap.
// A place is a number from 0 to 1 over all live time; the view is the part of it that is shown.
const GAP = 0.014;
const axis = { live: [], from: 0, to: 1, listeners: [] };
function makeAxis() {
  let at = 0;
  const ends = DATA.time.folds.map((fold) => fold);
  for (const [start, end] of ends) {
    if (start > at) axis.live.push({ start: at, end: start });
    at = end;
  }
  const last = Math.max(DATA.time.end, at + 1);
  if (last > at) axis.live.push({ start: at, end: last });
  const total = axis.live.reduce((sum, piece) => sum + piece.end - piece.start, 0);
  const room = 1 - GAP * (axis.live.length - 1), least = 0.01;
  const wide = axis.live.map((piece) => Math.max(least, (piece.end - piece.start) / total));
  const sum = wide.reduce((a, b) => a + b, 0);
  let place = 0;
  axis.live.forEach((piece, number) => {
    piece.from = place;
    piece.to = place + (wide[number] / sum) * room;
    place = piece.to + GAP;
  });
}
function placeOf(time) {
  for (const piece of axis.live) {
    if (time < piece.start) return piece.from;
    if (time <= piece.end) return piece.from + ((time - piece.start) / (piece.end - piece.start)) * (piece.to - piece.from);
  }
  return 1;
}
function timeOf(place) {
  for (const piece of axis.live) {
    if (place <= piece.to) {
      const part = Math.max(0, (place - piece.from) / (piece.to - piece.from));
      return piece.start + part * (piece.end - piece.start);
    }
  }
  return axis.live.length ? axis.live[axis.live.length - 1].end : 0;
}
// The units of dead time that are folded at a place; 0 where time is live.
function foldedAt(place) {
  const next = axis.live.findIndex((piece) => place < piece.from);
  return next > 0 && place > axis.live[next - 1].to ? axis.live[next].start - axis.live[next - 1].end : 0;
}
function xOf(time, width) {
  return ((placeOf(time) - axis.from) / (axis.to - axis.from)) * width;
}
function timeAtX(x, width) {
  return timeOf(axis.from + (x / width) * (axis.to - axis.from));
}
function view(from, to) {
  const width = Math.min(1, Math.max(1e-7, to - from));
  axis.from = Math.min(1 - width, Math.max(0, from));
  axis.to = axis.from + width;
  axis.listeners.forEach((draw) => draw());
}
function zoom(factor, center) {
  const middle = center === undefined ? (axis.from + axis.to) / 2 : center;
  view(middle - (middle - axis.from) * factor, middle + (axis.to - middle) * factor);
}
function pan(part) {
  const shift = (axis.to - axis.from) * part;
  view(axis.from + shift, axis.to + shift);
}
