// CPU samples as a flame graph: width is weight, a click zooms in.
"use strict";

const FRAME = 18;
// Frames above each other that are drawn: browsers make no canvas of any height.
const MOST_DEEP = 400;

async function stacks_view(root) {
  root.replaceChildren(el("p", {}, "Adding up samples…"));
  let tree;
  try {
    tree = await ask("stacks");
  } catch (error) {
    root.replaceChildren(el("p", {}, error.message));
    return;
  }
  if (tree.total === 0) {
    root.replaceChildren(el("p", {}, "The trace has no CPU samples. They are recorded with the kernel flag PROFILE, and stacks with its stack walks."));
    return;
  }
  const root_node = linked(tree);
  const canvas = el("canvas", { role: "img", tabindex: "0", "aria-label": "Flame graph of CPU samples. Down goes to the heaviest callee, Up to the caller, "
    + "Left and Right to their like; Enter zooms in, Escape out. The table below has the numbers" });
  const what = el("p", { "aria-live": "polite" });
  const state = { tree, node: root_node, boxes: [], cursor: null };
  const at = event => state.boxes.find(box => event.offsetX >= box.x && event.offsetX < box.x + box.width
    && event.offsetY >= box.y && event.offsetY < box.y + FRAME);
  canvas.addEventListener("mousemove", event => { const box = at(event); what.textContent = box ? box_text(box.node, tree) : ""; });
  canvas.addEventListener("click", event => { const box = at(event); if (box) { state.node = box.node; draw_flame(canvas, state); } });
  const out = () => { state.node = root_node; draw_flame(canvas, state); };
  canvas.addEventListener("keydown", event => {
    const from = state.cursor ?? state.node, like = from.parent?.children ?? [from], at = like.indexOf(from);
    const to = { ArrowDown: from.children[0], ArrowUp: from.parent, ArrowRight: like[at + 1], ArrowLeft: like[at - 1] };
    if (event.key in to) state.cursor = to[event.key] ?? from;
    else if (event.key === "Enter") state.node = from;
    else if (event.key === "Escape") state.node = root_node;
    else return;
    event.preventDefault();
    what.textContent = box_text(state.cursor ?? from, tree);
    draw_flame(canvas, state);
  });
  const folded = tree.folded > 0 ? " " + grouped(tree.folded) + (tree.folded === 1 ? " place" : " places") + " with the fewest samples are folded into their callers." : "";
  root.replaceChildren(
    el("p", {}, counted(tree.samples, "CPU sample") + ", " + grouped(tree.with_stack) + " with a stack." + folded
      + " The wider a box, the more samples; callers are above. A click on a box zooms in. ",
      el("button", { type: "button", onclick: out }, "Zoom out")),
    what, el("div", { class: "flame" }, canvas), el("h2", {}, "Functions"), function_table(tree, root_node));
  new ResizeObserver(() => draw_flame(canvas, state)).observe(canvas.parentElement);
}

// Nodes with children and inclusive weights. A parent comes before its children.
function linked(tree) {
  const top = { frame: null, own: 0, all: 0, children: [], parent: null };
  const nodes = tree.nodes.map(([parent, frame, own]) => ({ frame, own, all: own, children: [], number: parent }));
  for (const node of nodes) {
    node.parent = node.number === null ? top : nodes[node.number];
    node.parent.children.push(node);
  }
  for (const node of [...nodes].reverse()) node.parent.all += node.all;
  const order = node => node.children.sort((a, b) => b.all - a.all);
  [top, ...nodes].forEach(order);
  return top;
}

function frame_name(node, tree) {
  return node.frame === null ? "all" : visible(tree.frames[node.frame]);
}

function box_text(node, tree) {
  return frame_name(node, tree) + ": " + grouped(node.all) + " of " + grouped(tree.total) + " (" + ((100 * node.all) / tree.total).toFixed(1) + " %), itself " + grouped(node.own);
}

function draw_flame(canvas, state) {
  state.boxes = boxes_of(state.node, canvas.clientWidth);
  const scale = window.devicePixelRatio || 1;
  // As high as the deepest stack, so that no frame is cut off.
  const height = state.boxes.reduce((most, box) => Math.max(most, box.y + FRAME), FRAME);
  canvas.style.height = height + "px";
  canvas.width = canvas.clientWidth * scale;
  canvas.height = height * scale;
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "middle";
  for (const { node, x, y, width } of state.boxes) {
    pen.fillStyle = "hsl(" + (20 + (hash(frame_name(node, state.tree)) % 35)) + " 85% 68%)";
    pen.fillRect(x, y, Math.max(width - 1, 0.5), FRAME - 1);
    if (node === state.cursor) {
      pen.strokeStyle = color("--text");
      pen.lineWidth = 2;
      pen.strokeRect(x + 1, y + 1, Math.max(width - 3, 1), FRAME - 3);
    }
    if (width > 30) label(pen, frame_name(node, state.tree), x, y, width);
  }
}

// The places of a node and all below it that are a pixel wide.
function boxes_of(top, wide) {
  const boxes = [], pending = [{ node: top, x: 0, width: wide, depth: 0 }];
  while (pending.length > 0) {
    const { node, x, width, depth } = pending.pop();
    boxes.push({ node, x, y: depth * FRAME, width });
    let left = x;
    for (const child of node.children) {
      const room = (width * child.all) / Math.max(node.all, 1);
      if (room >= 1 && depth + 1 < MOST_DEEP) pending.push({ node: child, x: left, width: room, depth: depth + 1 });
      left += room;
    }
  }
  return boxes;
}

function label(pen, text, x, y, width) {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width - 3, FRAME);
  pen.clip();
  pen.fillStyle = "#1b1f26";
  pen.fillText(shortened(pen, text, width - 8), x + 3, y + FRAME / 2);
  pen.restore();
}

// Text that fits, with an ellipsis where some is left out.
function shortened(pen, text, room) {
  const wide = pen.measureText(text).width;
  if (wide <= room) return text;
  const kept = Math.floor((text.length * room) / wide) - 1;
  return kept < 2 ? "" : text.slice(0, kept) + "…";
}

function hash(text) {
  let sum = 0;
  for (const c of text) sum = (sum * 31 + c.codePointAt(0)) >>> 0;
  return sum;
}

// Exclusive and inclusive weight by function; a function that calls itself counts once.
function function_table(tree, top) {
  const sums = new Map();
  const pending = [{ node: top, above: new Set() }];
  while (pending.length > 0) {
    const { node, above } = pending.pop();
    const name = frame_name(node, tree);
    const sum = sums.get(name) ?? { name, own: 0, all: 0 };
    sum.own += node.own;
    if (!above.has(name)) sum.all += node.all;
    sums.set(name, sum);
    const path = above.has(name) ? above : new Set(above).add(name);
    for (const child of node.children) pending.push({ node: child, above: path });
  }
  sums.delete("all");
  const columns = [
    { name: "Exclusive", number: true, value: row => row.own, text: row => grouped(row.own) },
    { name: "Inclusive", number: true, value: row => row.all, text: row => grouped(row.all) },
    { name: "Function", kind: "wide", text: row => row.name },
  ];
  return table_view(columns, [...sums.values()].sort((a, b) => b.own - a.own), 0);
}
