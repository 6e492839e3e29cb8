// All of one event: header, fields with their bytes, schema, stack.
"use strict";

async function show_detail(number) {
  list.row = number;
  const pane = document.getElementById("detail");
  let found;
  try {
    found = await ask("event", { row: number });
  } catch (error) {
    pane.replaceChildren(el("p", { class: "wrong" }, error.message));
    return;
  }
  if (list.row !== number) return;
  const { fields, message, ...header } = found.event;
  const hex = hex_view(found);
  const copy = (title, format) => el("button", { type: "button", onclick: () => copy_row(number, format) }, title);
  const link = found.event.time ? el("button", { type: "button", onclick: () => link_to(found.event) }, "Link to this time") : undefined;
  const parts = [
    el("h2", {}, visible(found.event.provider ?? found.event.provider_guid ?? "") + " " + visible(event_name(found.event))),
    copy("Copy as JSON", "jsonl"), copy("Copy as CSV", "csv"), link,
    message ? el("pre", {}, visible(message)) : undefined,
    el("h2", {}, "Fields"), Object.keys(fields ?? {}).length > 0 ? field_table(fields, found.fields, hex) : el("p", {}, "none"),
    el("h2", {}, "Header"), pairs(header),
    el("h2", {}, "Payload, " + grouped(found.payload_len) + " bytes"), found.payload_len > 0 ? hex.view : undefined,
    el("p", {}, "Event at byte " + found.offset_in_buffer + " of buffer " + found.buffer + ", file " + found.file + "."),
    ...(found.stack.length ? [el("h2", {}, "Stack"), el("pre", {}, found.stack.map(visible).join("\n"))] : []),
    ...(found.schema ? [el("h2", {}, "Schema"), el("pre", {}, visible_lines(found.schema))] : []),
  ];
  pane.replaceChildren(...parts.filter(part => part !== undefined));
}

function visible_lines(text) {
  return text.split("\n").map(visible).join("\n");
}

function value_text(value) {
  return visible(typeof value === "object" ? JSON.stringify(value) : value);
}

function pairs(object) {
  const rows = Object.entries(object).map(([name, value]) => el("tr", {}, el("th", {}, ...broken_name(name)), el("td", {}, ...broken_time(value_text(value)))));
  return el("table", { class: "fields" }, ...rows);
}

// A time is broken between its date and the time of day.
function broken_time(text) {
  const at = /^\d{4}-\d\d-\d\dT\d/.test(text) ? 10 : 0;
  return at === 0 ? [text] : [el("span", { class: "whole" }, text.slice(0, at)), el("wbr"), text.slice(at)];
}

// The fields; the bytes of the one under the pointer or the focus are marked.
function field_table(values, places, hex) {
  const rows = Object.entries(values).map(([name, value]) => {
    const place = places.find(one => one.name === name);
    const show = () => place && hex.mark(place.from, place.len);
    return el("tr", { tabindex: "0", "aria-label": visible(name) + ": " + value_text(value).slice(0, 200), onmouseenter: show, onfocus: show },
      el("th", {}, ...broken_name(name)), el("td", {}, ...broken_time(value_text(value))));
  });
  return el("table", { class: "fields" }, ...rows);
}

// Bytes of a row: as many as the pane has room for at its narrowest.
const HEX_ROW = 8;

// Bytes in rows.
function hex_view(found) {
  const bytes = found.payload.match(/../g) ?? [];
  const view = el("pre", { class: "hex" });
  const mark = (from, len) => {
    const pieces = [];
    for (let at = 0; at < bytes.length; at += HEX_ROW) {
      pieces.push(at.toString(16).padStart(4, "0") + "  ");
      bytes.slice(at, at + HEX_ROW).forEach((byte, place) => {
        const inside = at + place >= from && at + place < from + len;
        pieces.push(inside ? el("mark", {}, byte) : byte, " ");
      });
      pieces.push("\n");
    }
    view.replaceChildren(...pieces);
  };
  mark(0, 0);
  return { view, mark };
}

// An event as a file of its own would have it.
async function copy_row(row, format) {
  try {
    await copy_text(await ask("copy", { row, format }));
  } catch (error) {
    say_briefly(error.message, true);
  }
}

async function copy_text(text) {
  try {
    await navigator.clipboard.writeText(text);
    say_briefly("Copied");
  } catch {
    say_briefly("The browser does not allow to copy", true);
  }
}
