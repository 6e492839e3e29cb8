// The columns of the list of events, and the choice among them.
"use strict";

const member = name => row => row.event[name];
const COLUMNS = [
  { name: "Time", width: "138px", text: row => (row.event.time ?? "").slice(11, 27), shown: true },
  { name: "Date and time", width: "200px", text: member("time") },
  { name: "Raw time", width: "130px", number: true, text: member("raw_time") },
  { name: "File", width: "minmax(80px, 0.8fr)", text: member("file") },
  { name: "CPU", width: "44px", number: true, text: member("cpu"), shown: true },
  { name: "Process", width: "minmax(70px, 0.6fr)", text: member("process"), shown: true },
  { name: "PID", width: "60px", number: true, text: member("pid"), shown: true },
  { name: "TID", width: "60px", number: true, text: member("tid"), shown: true },
  { name: "Level", width: "64px", text: row => LEVELS[row.event.level] ?? row.event.level },
  { name: "Provider", width: "minmax(110px, 0.9fr)", halves: true, text: row => row.event.provider ?? row.event.provider_guid, shown: true },
  { name: "Event", width: "minmax(110px, 1.2fr)", halves: true, text: row => event_name(row.event), shown: true },
  { name: "ID", width: "50px", number: true, text: member("id") },
  { name: "Version", width: "60px", number: true, text: member("version") },
  { name: "Opcode", width: "60px", number: true, text: member("opcode") },
  { name: "Task", width: "50px", number: true, text: member("task") },
  { name: "Keywords", width: "130px", text: member("keywords") },
  { name: "Activity", width: "270px", text: member("activity") },
  { name: "Message or fields", width: "minmax(110px, 1.9fr)", text: row => summary(row.event), shown: true },
];
// Columns of fields that a user added, and how many there may be.
const MOST_FIELDS = 16;
const chosen = { fields: [] };

// The name of an event; its number as the counts have it, if it has none.
function event_name(event) {
  if (event.event !== undefined) return event.event;
  if (event.kind === "classic") return "Opcode(" + event.opcode + ")";
  if (event.kind === "error") return "Error";
  return (event.kind === "wpp" ? "Message(" : "EventID(") + event.id + ")";
}

// The message, or the fields as text.
function summary(event) {
  if (event.message) return event.message;
  if (!event.fields) return event.payload ?? "";
  return Object.entries(event.fields).map(([name, value]) => name + "=" + plain(value)).join("  ");
}

function plain(value) {
  return value !== null && typeof value === "object" ? JSON.stringify(value) : String(value ?? "");
}

function shown_columns() {
  return [...COLUMNS, ...chosen.fields].filter(column => column.shown);
}

// A column for a field of payloads, or for any other member of an event's object.
function add_field(name) {
  const known = chosen.fields.find(column => column.name === name);
  if (known) known.shown = true;
  else if (name !== "" && chosen.fields.length < MOST_FIELDS) {
    chosen.fields.push({ name, width: "minmax(80px, 1fr)", shown: true, text: row => plain(row.event.fields?.[name] ?? row.event[name]) });
  }
}

// A button, and below it the names of all columns.
function column_menu() {
  const names = el("div", {});
  const shown = () => list.grid.set_columns(shown_columns());
  const box = column => {
    const check = el("input", { type: "checkbox", checked: column.shown });
    check.addEventListener("change", () => { column.shown = check.checked; shown(); });
    return el("label", {}, check, visible(column.name));
  };
  const fill = () => names.replaceChildren(...[...COLUMNS, ...chosen.fields].map(box));
  const field = el("input", { type: "text", list: "names", placeholder: "a field", "aria-label": "Field to show as a column", spellcheck: "false" });
  const add = () => { add_field(field.value.trim()); field.value = ""; fill(); shown(); };
  field.addEventListener("keydown", event => { if (event.key === "Enter") { event.preventDefault(); add(); } });
  fill();
  const menu = el("details", { class: "columns" }, el("summary", {}, "Columns"),
    el("div", { class: "choice" }, el("datalist", { id: "names" }), names, el("div", { class: "add" }, field, el("button", { type: "button", onclick: add }, "Add"))));
  menu.addEventListener("keydown", event => { if (event.key === "Escape") menu.open = false; });
  return menu;
}
