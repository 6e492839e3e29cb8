// Elements and texts. Text of a trace becomes a text node always, never markup.
"use strict";

// Makes an element: attributes, then children, which are elements or text.
function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value;
    // The policy of the page forbids style attributes, but not this.
    else if (key === "style") made.style.cssText = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter(child => child !== undefined && child !== null));
  return made;
}

// What `is_hazard` of src/render/terminal.rs names, and surrogates without their partners. Reports have the same pattern.
const HAZARDS = /[\u{0}-\u{1f}\u{7f}-\u{9f}\u{61c}\u{180e}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{d800}-\u{dfff}\u{e0000}-\u{e007f}]/gu;

// Makes characters visible that control, reorder or hide text.
function visible(text) {
  return String(text).replace(HAZARDS, c => "\\u{" + c.codePointAt(0).toString(16) + "}");
}

// A number with narrow spaces between thousands, as reports have it.
function grouped(number) {
  return Number(number).toLocaleString("en-US").replaceAll(",", "\u202f");
}

// A number of things: one is in the singular.
function counted(number, thing) {
  return grouped(number) + " " + thing + (Number(number) === 1 ? "" : "s");
}

// A name of a header or field, which is broken between its words only.
function broken_name(name) {
  const words = visible(name).split(/(?<=_)|(?<=[a-z])(?=[A-Z])/);
  return words.flatMap((word, at) => (at === 0 ? [word] : [el("wbr"), word]));
}

// 100 ns as text with the unit that reads best.
function duration(units) {
  const ms = units / 1e4;
  if (ms < 1) return (ms * 1000).toFixed(1) + " µs";
  if (ms < 1000) return ms.toFixed(3) + " ms";
  if (ms < 120000) return (ms / 1000).toFixed(3) + " s";
  const minutes = Math.floor(ms / 60000);
  return minutes < 120 ? minutes + " min " + Math.round((ms % 60000) / 1000) + " s"
    : Math.floor(minutes / 60) + " h " + (minutes % 60) + " min";
}

// What the status line shows: the state that lasts, and for how long something else is in its place.
const state_line = { text: "", is_bad: false, timer: 0 };
const BRIEFLY_MS = 5000;

// Says what the page shows or does now.
function say(text, is_bad = false) {
  Object.assign(state_line, { text, is_bad });
  show_status(text, is_bad);
}

// Shows what was done, for some seconds; then the line repeats what is shown.
function say_briefly(text, is_bad = false) {
  show_status(text, is_bad);
  state_line.timer = setTimeout(() => show_status(state_line.text, state_line.is_bad), BRIEFLY_MS);
}

function show_status(text, is_bad) {
  clearTimeout(state_line.timer);
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.toggle("bad", is_bad);
}

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
