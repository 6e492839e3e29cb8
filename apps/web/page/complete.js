// Completion of filters: names that fit the word at the caret, in a list below the box.
"use strict";

// What the engine knows of the trace: `names` of fields, `providers` and `events`.
const vocabulary = { names: [], providers: [], events: [] };
function learn(known = { names: [], providers: [], events: [] }) {
  const texts = list => [...new Set(list)].filter(text => text !== "");
  for (const kind of Object.keys(vocabulary)) vocabulary[kind] = texts(known[kind]);
  // The browser shows these as they are.
  const harmless = vocabulary.names.filter(name => visible(name) === name).slice(0, 2000);
  document.getElementById("names")?.replaceChildren(...harmless.map(value => el("option", { value })));
}

const WORDS_BEFORE = ["not", "has", "shows"];
const WORDS_AFTER = ["and", "or", "in", "not in"];
const SIGNS = ["==", "!=", "<=", ">=", "!~", "&&", "||", "=", "<", ">", "~", "&", "!", "(", ")", ","];
const COMPARISONS = ["==", "=", "!=", "<", "<=", ">", ">=", "~", "!~", "&", "in"];
const BEGINNINGS = ["(", "and", "or", "not", "has", "&&", "||", "!"];
const IN_WORD = /[\p{L}\p{N}_.:\/\-+*?\\#@$%[\]{}]/u;
const RESERVED = ["and", "or", "not", "in", "has", "shows"];
const MOST_OFFERED = 50;

// The tokens of an expression with their places; a text in quotes may lack its end.
function tokens_of(text) {
  const tokens = [];
  for (let at = 0; at < text.length;) {
    const from = at, first = text[at];
    const sign = SIGNS.find(one => text.startsWith(one, at));
    if (first === '"' || first === "'") {
      at++;
      while (at < text.length && text[at] !== first) at += text[at] === "\\" && /["'\\]/.test(text[at + 1] ?? "") ? 2 : 1;
      at = Math.min(at + 1, text.length);
      tokens.push({ kind: "quoted", from, to: at, text: text.slice(from + 1, at).replace(/["']$/, "") });
    } else if (sign) {
      at += sign.length;
      tokens.push({ kind: "sign", from, to: at, text: sign });
    } else if (IN_WORD.test(first)) {
      while (at < text.length && IN_WORD.test(text[at])) at++;
      tokens.push({ kind: "word", from, to: at, text: text.slice(from, at) });
    } else at++;
  }
  return tokens;
}

// The word at the caret, and what may be there.
function place_of(text, caret) {
  const tokens = tokens_of(text);
  const inside = one => one.kind !== "sign" && one.from < caret && caret <= one.to;
  const word = tokens.find(inside) ?? { from: caret, to: caret, text: "" };
  const typed = text.slice(word.from, caret).replace(/^["']/, "");
  const before = tokens.filter(one => one.to <= word.from);
  const is_closed = word.kind === "quoted" && caret === word.to && word.to - word.from > 1 && text[word.to - 1] === text[word.from];
  return { from: word.from, to: word.to, typed, candidates: is_closed ? [] : candidates_after(before) };
}

const lower = token => (token?.kind === "quoted" ? "" : token?.text.toLowerCase() ?? "");

// What may follow these tokens.
function candidates_after(before) {
  const last = lower(before.at(-1));
  // Any text may follow.
  if (last === "shows") return [];
  const field = compared_field(before);
  if (field !== null) return values_of(field);
  if (before.length === 0 || BEGINNINGS.includes(last)) {
    const words = last === "has" ? [] : WORDS_BEFORE;
    return [...vocabulary.names.map(name => ({ text: name, inserted: written(name) })), ...words.map(word => ({ text: word, inserted: word }))];
  }
  return WORDS_AFTER.map(word => ({ text: word, inserted: word }));
}

// The name whose value comes next: after a comparison, or in the brackets of `in`; null elsewhere.
function compared_field(before) {
  let at = before.length - 1;
  if (["(", ","].includes(lower(before[at]))) {
    while (at >= 0 && lower(before[at]) !== "(") at--;
    at--;
    if (lower(before[at]) !== "in") return null;
  }
  if (!COMPARISONS.includes(lower(before[at]))) return null;
  const name = lower(before[at - 1]) === "not" ? before[at - 2] : before[at - 1];
  return name ? lower(name).replace(/^header\./, "") : "";
}

function values_of(field) {
  const known = { provider: vocabulary.providers, providername: vocabulary.providers, event: vocabulary.events, eventname: vocabulary.events, level: LEVELS.slice(1) };
  return (Object.hasOwn(known, field) ? known[field] : []).map(value => ({ text: value, inserted: written(value) }));
}

// A name as an expression has it: in quotes unless it is one word, and not one of the language or like a number.
function written(name) {
  const is_word = [...name].every(each => IN_WORD.test(each)) && !/^[\d{+-]/.test(name) && !RESERVED.includes(name.toLowerCase());
  return is_word ? name : '"' + name.replace(/(["\\])/g, "\\$1") + '"';
}

// Those that begin with what was typed, then those that contain it. A name that is there already is not offered.
function fitting({ typed, candidates }) {
  const [, part, bare] = /^((?:fields|header|payload)\.)?(.*)$/s.exec(typed.toLowerCase());
  const place = one => one.text.toLowerCase().indexOf(bare);
  const fits = candidates.filter(one => place(one) >= 0 && one.text.toLowerCase() !== bare && !/[\r\n]/.test(one.text));
  const prefix = part === undefined ? "" : typed.slice(0, part.length);
  const [first, rest] = [fits.filter(one => place(one) === 0), fits.filter(one => place(one) > 0)];
  return [...first, ...rest].slice(0, MOST_OFFERED).map(one => ({ text: prefix + one.text, inserted: prefix + one.inserted }));
}

// A box with a list: what is chosen replaces the word at the caret, and nothing else.
function completed(input) {
  const options = el("ul", { id: input.id + "-options", role: "listbox", class: "options", "aria-label": "Names that fit", hidden: true });
  const state = { offered: [], active: -1, place: null };
  const set = attributes => Object.entries(attributes).forEach(([name, value]) => input.setAttribute(name, value));
  set({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": options.id, autocomplete: "off" });
  const activate = at => {
    state.active = at;
    [...options.children].forEach((option, number) => option.setAttribute("aria-selected", number === at));
    if (at >= 0) {
      set({ "aria-activedescendant": options.children[at].id });
      options.children[at].scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  };
  const close = () => {
    options.hidden = true;
    Object.assign(state, { offered: [], place: null });
    activate(-1);
    set({ "aria-expanded": "false" });
  };
  const choose = at => {
    const { from, to } = state.place;
    const text = state.offered[at].inserted;
    close();
    input.setRangeText(text, from, to, "end");
    input.focus();
  };
  const open = () => {
    state.place = place_of(input.value, input.selectionStart);
    state.offered = fitting(state.place);
    const option = (one, number) => el("li", { id: options.id + "-" + number, role: "option", "aria-selected": "false",
      onmousedown: event => { event.preventDefault(); choose(number); } }, visible(one.text));
    options.replaceChildren(...state.offered.map(option));
    if (state.offered.length === 0) return close();
    options.hidden = false;
    activate(-1);
    set({ "aria-expanded": "true" });
  };
  input.addEventListener("input", () => (place_of(input.value, input.selectionStart).typed === "" ? close() : open()));
  input.addEventListener("blur", close);
  input.addEventListener("click", close);
  input.addEventListener("keydown", event => completion_key(event, { state, is_open: !options.hidden, open, close, choose, activate }));
  return options;
}

function completion_key(event, { state, is_open, open, close, choose, activate }) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by !== undefined) {
    event.preventDefault();
    if (!is_open) open();
    const len = state.offered.length, from = state.active < 0 && by < 0 ? 0 : state.active;
    if (len > 0) activate((from + by + len) % len);
  } else if (is_open && event.key === "Escape") {
    event.preventDefault();
    close();
  } else if (is_open && event.key === "Tab" && !event.shiftKey) {
    event.preventDefault();
    choose(Math.max(state.active, 0));
  } else if (is_open && event.key === "Enter" && state.active >= 0) {
    event.preventDefault();
    choose(state.active);
  } else if (["Enter", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) close();
}
