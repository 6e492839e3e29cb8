// How each kind of lane is drawn, into a row of a canvas.
const ROW = 20;
const DRAW = {
  heat(pen, lane, top, width, group) {
    const { full } = lane.data, sums = lane.sums, most = full || Math.max(group.top, 1);
    for (let x = 0; x < width; x++) {
      if (!sums[x]) continue;
      const part = full ? Math.min(1, sums[x] / full) : Math.log1p(sums[x]) / Math.log1p(most);
      pen.fillStyle = heatColor(part, group.id);
      const height = full ? Math.max(1, part * (ROW - 4)) : ROW - 4;
      pen.fillRect(x, top + ROW - 2 - height, 1, height);
    }
  },
  spans(pen, lane, top, width) {
    for (const [start, end] of lane.data) {
      const left = start === null ? 0 : Math.max(0, xOf(start, width)), right = end === null ? width : Math.min(width, xOf(end, width));
      if (right < 0 || left > width) continue;
      pen.globalAlpha = start === null || end === null ? 0.45 : 0.85;
      pen.fillStyle = color("accent");
      pen.fillRect(left, top + 5, Math.max(2, right - left), ROW - 9);
      pen.globalAlpha = 1;
      if (start !== null) pen.fillRect(left, top + 3, 2, ROW - 5);
      if (end !== null) pen.fillRect(right - 2, top + 3, 2, ROW - 5);
    }
  },
  points(pen, lane, top, width, group) {
    pen.fillStyle = color("bad");
    const most = Math.log1p((group.peak || 1) * 100);
    for (const [at, value] of lane.data) {
      const x = xOf(at, width);
      if (x < 0 || x > width) continue;
      const height = Math.max(2, (Math.log1p(value * 100) / most) * (ROW - 3));
      pen.fillRect(Math.min(x, width - 2), top + ROW - 2 - height, 2, height);
    }
  },
  marks(pen, lane, top, width) {
    pen.fillStyle = color("accent");
    for (const [at] of lane.data) {
      const x = xOf(at, width);
      pen.fillRect(x - 1, top + 2, 2, ROW - 4);
      pen.fillRect(x - 3, top + 2, 6, 4);
    }
  },
  buffers(pen, lane, top, width) {
    for (const [first, last, used, flags] of lane.data) {
      const left = xOf(first, width), right = xOf(last, width);
      if (right < 0 || left > width) continue;
      const height = Math.max(3, (used / 100) * (ROW - 4));
      pen.fillStyle = flags & 2 ? color("bad") : used < 50 ? heatColor(0.35) : heatColor(0.7);
      // What is at the end of the axis is drawn before it.
      pen.fillRect(Math.min(left, width - 2), top + ROW - 2 - height, Math.max(2, right - left - (right - left > 4 ? 1 : 0)), height);
      if (flags & 3) {
        pen.fillStyle = color(flags & 2 ? "bad" : "warn");
        pen.fillRect(left - 1, top + 1, 3, ROW - 2);
      }
    }
  },
};
// Adds up what each column of pixels shows.
function columnSums(lane, width) {
  const sums = new Float64Array(width);
  const { start, step, cells, full } = lane.data;
  let cell = 0;
  for (let i = 0; i < cells.length; i += 2) {
    cell += cells[i];
    const left = xOf(start + cell * step, width), right = xOf(start + (cell + 1) * step, width);
    if (right < 0 || left >= width) continue;
    const first = Math.max(0, Math.floor(left)), last = Math.min(width - 1, Math.max(first, Math.ceil(right) - 1));
    for (let x = first; x <= last; x++) sums[x] = full ? Math.max(sums[x], cells[i + 1]) : sums[x] + cells[i + 1] / (last - first + 1);
  }
  return sums;
}
// The largest sum of a group is the end of its scale, at any zoom.
function prepare(group, width) {
  group.top = 0;
  for (const lane of group.lanes) {
    if (lane.kind !== "heat") continue;
    lane.sums = columnSums(lane, width);
    for (const sum of lane.sums) group.top = Math.max(group.top, sum);
  }
}
function drawFolds(pen, width, height) {
  pen.fillStyle = color("line");
  for (let i = 1; i < axis.live.length; i++) {
    const left = ((axis.live[i - 1].to - axis.from) / (axis.to - axis.from)) * width;
    const right = ((axis.live[i].from - axis.from) / (axis.to - axis.from)) * width;
    pen.fillRect(left, 0, right - left, height);
  }
}
