// Cells of tables.
const LEVELS = ["", "critical", "error", "warning", "info", "verbose"];
// Characters of a text that is not broken.
const MOST_WHOLE = 26;
// Characters of a text that is shown whole; longer ones scroll in their cell.
const MOST_OPEN = 500;
const NUMBERS = ["id", "count", "real", "ms", "percent", "offset"];
function cellText(value, kind) {
  if (value === null) return "";
  if (kind === "time") return stamp(value);
  if (kind === "level") return LEVELS[value] || String(value);
  if (kind === "offset") return "0x" + Number(value).toString(16);
  if (typeof value === "number" && kind === "count") return whole(value);
  if (typeof value === "number" && (kind === "real" || kind === "percent")) return decimals(value, 2);
  if (typeof value === "number" && kind === "ms") return decimals(value, 4);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}
function cell(value, column) {
  const { kind } = column;
  const text = cellText(value, kind), words = text.length <= MOST_WHOLE ? "word" : "short";
  const look = NUMBERS.includes(kind) ? "num" : kind === "time" ? "time" : kind === "level" ? "l" + value : column.name === "text" || column.name === "command_line" ? "long" : words;
  if (kind === "time") return el("td", { class: look }, ...broken(text));
  // A text of many lines would push all other rows out of sight.
  if (look === "long" && text.length > MOST_OPEN) return el("td", { class: look }, el("div", { class: "clamp", tabindex: "0", role: "group", "aria-label": column.name }, text));
  return el("td", { class: look }, text);
}
// A time is broken between its date and the time of day.
function broken(text) {
  return text.split(/(?<=\d{4}-\d\d-\d\d)[ T](?=\d\d:)/).flatMap((part, at) => [at ? " " : "", el("span", { class: "whole" }, part)]);
}
function compare(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
}
