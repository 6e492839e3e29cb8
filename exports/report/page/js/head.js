// Title, tiles, and the switch between light and dark.
function head() {
  const name = shown(DATA.title.split(/[\\/]/).pop() || DATA.title);
  document.title = name + " – trace report";
  document.getElementById("title").textContent = name;
  document.getElementById("title").title = shown(DATA.files.slice(0, 50).join("\n"));
  document.getElementById("subtitle").textContent = (DATA.time.is_from_session ? "Start of the session" : "First event") + " to last event: " + stamp(0) + " to " + stamp(DATA.time.end) + (DATA.time.is_local ? ", local time of the machine" : " UTC");
  const box = document.getElementById("tiles");
  for (const tile of DATA.tiles) {
    const number = /^\d+$/.test(tile.value) ? whole(tile.value) : tile.value;
    const value = tile.id === "duration" && isFinite(tile.value) ? span(tile.value * SECOND) : number;
    const node = el("dl", { class: "tile " + tile.tone, title: tile.about ?? null, "aria-description": tile.about ?? null, id: "tile-" + tile.id, "data-value": shown(tile.value) }, el("dt", {}, tile.label), el("dd", { title: shown(value), class: value.length > 12 ? "small" : null }, value));
    if (tile.detail) node.append(el("p", {}, ...tileDetail(tile.detail)));
    box.append(node);
  }
}
// Times are not broken at their hyphens.
function tileDetail(text) {
  const words = text.replace(/(\d{4}-\d\d-\d\d)T(\d\d:[\d:.]+)Z/g, "$1 $2 UTC").split(" ");
  return words.flatMap((word, at) => [at ? " " : "", /^\d{4}-\d\d-\d\d$/.test(word) ? el("span", { class: "whole" }, word) : word]);
}
function theme() {
  const button = document.getElementById("theme"), dark = window.matchMedia("(prefers-color-scheme: dark)");
  const set = (is) => {
    document.documentElement.classList.toggle("dark", is);
    button.setAttribute("aria-pressed", String(is));
    button.textContent = is ? "Light" : "Dark";
    redraw();
  };
  button.addEventListener("click", () => set(!isDark()));
  dark.addEventListener("change", (event) => set(event.matches));
  set(dark.matches);
}
