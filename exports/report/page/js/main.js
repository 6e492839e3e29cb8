// Puts the page together.
makeAxis();
head();
const messages = ["all-events", "first", "last"].includes((DATA.tables[0] || {}).id) ? DATA.tables.filter((data) => ["all-events", "first", "last", "levels"].includes(data.id)) : [];
messages.forEach(table);
if (DATA.lanes.length) {
  const section = part("lanes", "Over time");
  section.append(el("h2", { id: "lanes-h" }, "Over time"), el("p", { class: "about" }, "Drag to move, double-click or Ctrl and wheel to zoom; with a lane in focus, arrow keys, + and −, 0 for all."));
  const box = el("div", { class: "timeline" });
  section.append(box);
  timeline(box);
}
for (const data of DATA.tables) {
  if (messages.includes(data)) continue;
  if (data.id === "functions" && DATA.flame) flame(DATA.flame);
  table(data);
}
if (DATA.absent.length) {
  const section = part("absent", "Not in this trace", DATA.absent.length);
  section.append(el("h2", { id: "absent-h" }, "Not in this trace"), el("ul", {}, ...DATA.absent.map((each) => el("li", {}, each.title + ": " + each.advice))));
}
theme();
let waiting = 0;
window.addEventListener("resize", () => { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(redraw); });
// Paper is light.
let wasDark = false;
window.addEventListener("beforeprint", () => { wasDark = isDark(); document.documentElement.classList.remove("dark"); redraw(); });
window.addEventListener("afterprint", () => { document.documentElement.classList.toggle("dark", wasDark); redraw(); });
document.documentElement.dataset.ready = "yes";
