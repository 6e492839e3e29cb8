// The call tree of samples: the width of a frame is its share. A click enlarges a frame; Escape, or a click on the root,
// shows all.
function flame(data) {
  const section = part("flame", "Flame graph", data.samples);
  section.append(el("h2", { id: "flame-h" }, data.title), el("p", { class: "about" }, whole(data.samples) + " samples. A click enlarges a frame, Escape shows all." + (data.folded ? " " + whole(data.folded) + " places that weigh little are folded into their callers." : "")));
  const canvas = el("canvas", { class: "flame", role: "img", tabindex: "0", "aria-label": data.title + ", " + data.samples + " samples; the table of functions has the numbers" });
  section.append(canvas);
  const nodes = data.nodes.map(([parent, frame, weight]) => ({ parent, frame, weight, below: [], depth: parent < 0 ? 1 : 0 }));
  const root = { frame: -1, weight: 0, below: [], depth: 0 };
  nodes.forEach((node) => {
    const up = node.parent < 0 ? root : nodes[node.parent];
    up.below.push(node);
    node.up = up;
    node.depth = up.depth + 1;
    if (up === root) root.weight += node.weight;
  });
  let top = root, boxes = [];
  const name = (node) => (node.frame < 0 ? "all" : shown(data.frames[node.frame]));
  function draw() {
    // As high as the frames that are wide enough to be seen.
    const narrow = (top.weight || root.weight) / 150;
    const deepest = Math.min(60, nodes.reduce((most, node) => (node.weight >= narrow ? Math.max(most, node.depth) : most), 1));
    const [pen, width] = fitted(canvas, (deepest + 1) * 18);
    pen.font = "11px system-ui, sans-serif";
    boxes = [];
    const place = (node, x, wide, depth) => {
      if (wide < 0.6 || depth > deepest) return;
      boxes.push({ node, x, wide, y: depth * 18 });
      const hue = [...name(node)].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 997, 7) / 997;
      pen.fillStyle = "hsl(" + (12 + hue * 42) + " " + (isDark() ? "55% 34%" : "80% 76%") + ")";
      pen.fillRect(x, depth * 18, Math.max(0.5, wide - 1), 17);
      if (wide > 34) {
        pen.fillStyle = isDark() ? "#fff" : "#201400";
        const fit = Math.floor((wide - 6) / 6), text = name(node);
        pen.fillText(text.length > fit ? text.slice(0, Math.max(1, fit - 1)) + "…" : text, x + 3, depth * 18 + 12);
      }
      let at = x;
      for (const next of node.below.slice().sort((a, b) => b.weight - a.weight)) {
        const part = (wide * next.weight) / node.weight;
        place(next, at, part, depth + 1);
        at += part;
      }
    };
    if (root.weight) place(top, 0, width, 0);
  }
  const hit = (event) => {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    return boxes.find((each) => x >= each.x && x < each.x + each.wide && y >= each.y && y < each.y + 18);
  };
  canvas.addEventListener("pointermove", (event) => {
    const found = hit(event);
    showTip(found ? name(found.node) + "\n" + whole(found.node.weight) + " samples, " + decimals((found.node.weight * 100) / root.weight, 2) + " %" : "", event.clientX, event.clientY);
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("click", (event) => {
    const found = hit(event);
    if (found) top = found.node === top ? top.up || root : found.node;
    draw();
  });
  canvas.addEventListener("keydown", (event) => { if (event.key === "Escape") { top = root; draw(); } });
  axis.listeners.push(draw);
}
