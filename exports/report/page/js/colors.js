// Colours of canvases: those of the style, and a scale for amounts.
function isDark() {
  return document.documentElement.classList.contains("dark");
}
function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}
const SCALES = { levels: [[255, 205, 205], [165, 10, 20], [90, 35, 35], [255, 120, 110]] };
function heatColor(part, group) {
  const [low, high, darkLow, darkHigh] = SCALES[group] || [[205, 226, 247], [8, 48, 107], [26, 58, 92], [150, 210, 255]];
  const [from, to] = isDark() ? [darkLow, darkHigh] : [low, high];
  return "rgb(" + from.map((value, place) => Math.round(value + (to[place] - value) * part)).join(",") + ")";
}
