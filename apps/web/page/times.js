// Links to a time: `#t=` and a UTC time as the list shows it, or seconds from the first event.
"use strict";

const UNIX_EPOCH = 116444736000000000n;

// What the part of the address after # asks for: units of 100 ns since 1601, or from the first event; null without one.
function link_time(text = decodeURIComponent(location.hash)) {
  const asked = /^#t=(.+)$/.exec(text)?.[1];
  if (asked === undefined) return null;
  if (/^[+]?\d+(\.\d+)?$/.test(asked)) return { units: String(Math.round(Number(asked) * 1e7)), from_start: true };
  const units = units_of(asked);
  return units === null ? null : { units, from_start: false };
}

// A time of the form 2026-11-24T20:15:00.1234567Z as digits.
function units_of(text) {
  const parts = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z?$/.exec(text);
  const ms = parts ? Date.parse(parts[1].replace(" ", "T") + "Z") : NaN;
  if (isNaN(ms)) return null;
  return String(BigInt(ms) * 10000n + UNIX_EPOCH + BigInt((parts[2] ?? "").padEnd(7, "0").slice(0, 7)));
}

// A place on an axis as a time.
function units_at(time, at) {
  return { units: String(BigInt(time.base) + BigInt(Math.round(at))), from_start: false };
}

// Shows the first event at the time or after it.
async function go_to(time) {
  show_tab("events");
  const row = await ask("at", time);
  if (list.total > 0) list.grid.select(Math.min(row, list.total - 1));
}

function go_to_link() {
  const time = link_time();
  if (time === null || engine === null) return;
  if (document.body.dataset.scanned === "true") go_to(time);
  else list.wanted = time;
}

// A link to the time of an event, on the clipboard and in the address.
function link_to(event) {
  location.hash = "#t=" + event.time;
  copy_text(location.href);
}
