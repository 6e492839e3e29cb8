// The page: opening files, views, theme.
"use strict";

const TABS = [
  ["overview", "Overview"], ["events", "Events"], ["messages", "Messages"], ["processes", "Processes"],
  ["stacks", "Stacks"], ["requests", "Requests"], ["problems", "Problems"],
];
const LAZY = { processes: processes_view, stacks: stacks_view, requests: requests_view, problems: problems_view };
// Files of more bytes are read for a while: their beginning is shown before.
const LARGE = 64 << 20;
const BEGINNING = 1 << 20;

// The files that are open, and when they were chosen.
const opened = { files: [], names: [], at: 0 };

async function open_files(files) {
  if (files.length === 0) return;
  Object.assign(opened, { files, at: performance.now() });
  for (const name of ["opened", "firstRows"]) delete document.body.dataset[name];
  document.body.dataset.scanned = "false";
  say("Reading " + files.map(file => file.name).join(", ") + " …");
  engine?.end();
  end_lanes();
  const whole = new Engine(list_progress);
  engine = whole;
  try {
    const is_large = files.reduce((sum, file) => sum + file.size, 0) > LARGE;
    const preview = is_large ? await show_beginning(files, whole) : null;
    if (opened.files !== files) return preview?.end();
    const trace = await whole.open(files);
    preview?.end();
    engine = whole;
    show_trace(trace, is_large);
    document.body.dataset.opened = Math.round(performance.now() - opened.at);
  } catch (error) {
    if (opened.files === files) say(error.message, true);
  }
}

// Files that `etwkit view` serves beside the page. They are read by windows, as files of this computer are.
function served_files() {
  const list = document.getElementById("served").textContent.trim();
  const file = ({ name, len }, number) => ({ name, size: len, url: new URL(String(number), location.href).href });
  return list === "" ? [] : JSON.parse(list).map(file);
}

// Shows the first events of large files, which another engine reads. It answers until `whole` has read them.
async function show_beginning(files, whole) {
  const preview = new Engine((progress, done) => {
    if (engine === preview) list_progress(progress, done, true);
  });
  try {
    const trace = await preview.open(files, BEGINNING);
    if (engine !== whole) return preview;
    engine = preview;
    show_views(trace, true);
    document.querySelector("nav").hidden = true;
    show_tab("events");
    await set_filter("");
  } catch {
    // The beginning alone may not be a trace.
  }
  return preview;
}

function show_views(trace, is_preview = false) {
  document.getElementById("title").textContent = visible(trace.files.map(file => file.name).join(", "));
  opened.names = trace.files.map(file => file.name);
  Object.assign(list, { total: 0, row: null, over_time: null });
  list.cache.clear();
  list.generation += 1;
  learn();
  const lazy = Object.keys(LAZY).map(name => el("section", { id: name, role: "tabpanel", "aria-label": name }));
  document.querySelector("main").replaceChildren(overview_view(trace, is_preview), events_view(trace), ...lazy);
}

function show_trace(trace, are_events_shown) {
  show_views(trace);
  const nav = document.querySelector("nav");
  nav.hidden = false;
  const button = ([name, title]) => el("button", { type: "button", role: "tab", "data-tab": name, "aria-controls": name === "messages" ? "events" : name, onclick: () => choose(name) }, title);
  nav.replaceChildren(...TABS.filter(([name]) => name !== "requests" || trace.has_requests).map(button));
  ask("names").then(learn);
  const has_link = link_time() !== null;
  set_filter("");
  show_tab(has_link || are_events_shown ? "events" : "overview");
  list.wanted = link_time();
}

function choose(name) {
  if (name === "messages") {
    show_tab("events");
    set_filter("has message");
  } else {
    show_tab(name);
  }
}

function show_tab(name) {
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== name;
  for (const tab of document.querySelectorAll("nav button")) {
    tab.setAttribute("aria-selected", tab.dataset.tab === name);
    tab.tabIndex = tab.dataset.tab === name ? 0 : -1;
  }
  const root = document.getElementById(name);
  if (LAZY[name] && root.childElementCount === 0) {
    LAZY[name](root).catch(error => root.replaceChildren(el("p", { class: "wrong" }, error.message)));
  }
}

// Arrow keys go from tab to tab, which are one stop of the Tab key. Enter or the space bar shows a view.
function tab_key(event) {
  const tabs = [...event.currentTarget.children], at = tabs.indexOf(document.activeElement), len = tabs.length;
  const to = { ArrowRight: (at + 1) % len, ArrowLeft: (at + len - 1) % len, Home: 0, End: len - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  tabs[to].focus();
}

function set_theme(is_dark) {
  document.documentElement.classList.toggle("dark", is_dark);
  document.getElementById("theme").setAttribute("aria-pressed", is_dark);
  document.dispatchEvent(new Event("theme"));
}

document.querySelector("nav").addEventListener("keydown", tab_key);
const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", event => set_theme(event.matches));
set_theme(dark.matches);
document.getElementById("theme").addEventListener("click", () => set_theme(!document.documentElement.classList.contains("dark")));
document.getElementById("open").addEventListener("click", () => document.getElementById("files").click());
document.getElementById("stop").addEventListener("click", () => stop_scan());
document.getElementById("files").addEventListener("change", event => open_files([...event.target.files]));
addEventListener("hashchange", () => go_to_link());
addEventListener("dragover", event => { event.preventDefault(); document.body.classList.add("over"); });
addEventListener("dragleave", () => document.body.classList.remove("over"));
addEventListener("drop", event => {
  event.preventDefault();
  document.body.classList.remove("over");
  open_files([...event.dataTransfer.files]);
});
// The engine is ready before a file is chosen; what is wrong with it is reported then.
addEventListener("load", () => compiled().catch(() => {}));
// The form of one file has all in it, and nothing to keep. Its engine's text is gone when files were opened.
const is_folder = document.getElementById("wasm").textContent.trim() === "";
open_files(served_files());
if (is_folder && "serviceWorker" in navigator && location.protocol.startsWith("http")) navigator.serviceWorker.register("sw.js").catch(() => {});
