// The call tree of samples: the width of a frame is its share. A click enlarges a frame; a click on the top one, the one
// that calls it. Keys are those of the viewer: arrows go through the tree, Enter enlarges, Escape shows all.
const FRAME = 18;
function flame(data) {
  const section = part("flame", "Flame graph", data.samples);
  const folded = data.folded ? " " + whole(data.folded) + " places that weigh least are folded into their callers." : "";
  section.append(el("h2", { id: "flame-h" }, data.title), el("p", { class: "about" }, whole(data.samples) + " samples. A click enlarges a frame, Escape shows all; arrows go from frame to frame, and Enter enlarges." + folded));
  const canvas = el("canvas", { class: "flame", role: "img", tabindex: "0", "aria-label": data.title + ", " + data.samples + " samples; the table of functions has the numbers" });
  const said = el("p", { class: "about", "aria-live": "polite" });
  section.append(canvas, said);
  const root = callTree(data.nodes);
  const graph = { data, root, top: root, cursor: null, boxes: [] };
  const draw = () => drawFlame(canvas, graph);
  canvas.addEventListener("pointermove", (event) => {
    const box = boxBelow(canvas, graph, event);
    showTip(box ? frameText(graph, box.node) : "", event.clientX, event.clientY);
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("click", (event) => {
    const box = boxBelow(canvas, graph, event);
    if (box) graph.top = box.node === graph.top ? graph.top.up || root : box.node;
    draw();
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !flameKey(graph, event.key)) return;
    event.preventDefault();
    said.textContent = graph.cursor ? shown(frameText(graph, graph.cursor)) : "";
    draw();
  });
  axis.listeners.push(draw);
}
// The node that all others are below, each with those below it, the heaviest first.
function callTree(given) {
  const nodes = given.map(([parent, frame, weight]) => ({ parent, frame, weight, below: [] }));
  const root = { frame: -1, weight: 0, below: [], depth: 0 };
  for (const node of nodes) {
    node.up = node.parent < 0 ? root : nodes[node.parent];
    node.depth = node.up.depth + 1;
    node.up.below.push(node);
    if (node.up === root) root.weight += node.weight;
  }
  for (const node of [root, ...nodes]) node.below.sort((a, b) => b.weight - a.weight);
  return root;
}
function frameName({ data }, node) {
  return node.frame < 0 ? "all" : shown(data.frames[node.frame]);
}
function frameText(graph, node) {
  return frameName(graph, node) + "\n" + whole(node.weight) + (node.weight === 1 ? " sample, " : " samples, ") + decimals((node.weight * 100) / graph.root.weight, 2) + " %";
}
// Does what a key asks for; false if it asks for nothing.
function flameKey(graph, key) {
  const from = graph.cursor || graph.top;
  // What is beside the frame at the top is not shown.
  const row = from === graph.top ? [from] : from.up.below, at = row.indexOf(from);
  const to = { ArrowDown: from.below[0], ArrowUp: from.up, ArrowRight: row[at + 1], ArrowLeft: row[at - 1] };
  if (key in to) graph.cursor = to[key] || from;
  else if (key === "Enter") graph.top = from;
  else if (key === "Escape") [graph.top, graph.cursor] = [graph.root, null];
  else return false;
  if (graph.cursor === graph.top.up) graph.top = graph.top.up || graph.root;
  return true;
}
function boxBelow(canvas, graph, event) {
  const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  return graph.boxes.find((each) => x >= each.x && x < each.x + each.wide && y >= each.y && y < each.y + FRAME);
}
function drawFlame(canvas, graph) {
  // As high as the frames that are wide enough to be seen.
  const narrow = graph.top.weight / 150;
  const deepestOf = (node) => node.below.reduce((most, next) => (next.weight >= narrow ? Math.max(most, deepestOf(next)) : most), node.depth - graph.top.depth);
  const deepest = Math.min(60, Math.max(1, deepestOf(graph.top)));
  const [pen, width] = fitted(canvas, (deepest + 1) * FRAME);
  pen.font = "11px system-ui, sans-serif";
  graph.boxes = [];
  if (graph.root.weight) placeFrames(graph, { node: graph.top, x: 0, wide: width, depth: 0 }, deepest);
  for (const box of graph.boxes) drawFrame(pen, graph, box);
}
// Notes where a frame and those below it are.
function placeFrames(graph, box, deepest) {
  const { node, x, wide, depth } = box;
  if (wide < 0.6 || depth > deepest) return;
  graph.boxes.push({ ...box, y: depth * FRAME });
  let at = x;
  for (const next of node.below) {
    const part = (wide * next.weight) / node.weight;
    placeFrames(graph, { node: next, x: at, wide: part, depth: depth + 1 }, deepest);
    at += part;
  }
}
function drawFrame(pen, graph, { node, x, y, wide }) {
  const text = frameName(graph, node);
  const hue = [...text].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 997, 7) / 997;
  pen.fillStyle = "hsl(" + (12 + hue * 42) + " " + (isDark() ? "55% 34%" : "80% 76%") + ")";
  pen.fillRect(x, y, Math.max(0.5, wide - 1), FRAME - 1);
  if (node === graph.cursor) {
    pen.strokeStyle = color("fg");
    pen.lineWidth = 2;
    pen.strokeRect(x + 1, y + 1, Math.max(1, wide - 3), FRAME - 3);
  }
  if (wide <= 34) return;
  pen.fillStyle = isDark() ? "#fff" : "#201400";
  const fit = Math.floor((wide - 6) / 6);
  pen.fillText(text.length > fit ? text.slice(0, Math.max(1, fit - 1)) + "…" : text, x + 3, y + 12);
}
