// The page: opening files, views, theme, links to a time.
"use strict";

const TABS = [
  ["overview", "Overview"], ["events", "Events"], ["messages", "Messages"], ["processes", "Processes"],
  ["stacks", "Stacks"], ["requests", "Requests"], ["problems", "Problems"],
];
const LAZY = { processes: processes_view, stacks: stacks_view, requests: requests_view, problems: problems_view };

async function open_files(files) {
  if (files.length === 0) return;
  document.body.dataset.scanned = "false";
  say("Reading " + files.map(file => file.name).join(", ") + " …");
  try {
    await start_engine();
    const request = { op: "open", files: files.map(file => ({ name: file.name, len: file.size })) };
    const begin = performance.now();
    const trace = await send({ files, request });
    show_trace(trace);
    document.body.dataset.opened = Math.round(performance.now() - begin);
  } catch (error) {
    say(error.message, true);
  }
}

function show_trace(trace) {
  document.getElementById("title").textContent = visible(trace.files.map(file => file.name).join(", "));
  Object.assign(list, { total: 0, row: null });
  list.cache.clear();
  const lazy = Object.keys(LAZY).map(name => el("section", { id: name }));
  document.querySelector("main").replaceChildren(overview_view(trace), events_view(), ...lazy);
  const nav = document.querySelector("nav");
  nav.hidden = false;
  const button = ([name, title]) => el("button", { type: "button", role: "tab", "data-tab": name, onclick: () => choose(name) }, title);
  nav.replaceChildren(...TABS.filter(([name]) => name !== "requests" || trace.has_requests).map(button));
  ask("names").then(names => document.getElementById("names").replaceChildren(...names.slice(0, 2000).map(value => el("option", { value }))));
  set_filter("");
  show_tab("overview");
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
  for (const tab of document.querySelectorAll("nav button")) tab.setAttribute("aria-selected", tab.dataset.tab === name);
  const root = document.getElementById(name);
  if (LAZY[name] && root.childElementCount === 0) {
    LAZY[name](root).catch(error => root.replaceChildren(el("p", { class: "wrong" }, error.message)));
  }
  if (name === "events" && list.bins) draw_histogram(list.bins);
}

function switch_theme() {
  const root = document.documentElement;
  const is_dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = is_dark ? "light" : "dark";
  if (list.bins) draw_histogram(list.bins);
}

engine.on_progress = list_progress;
document.getElementById("open").addEventListener("click", () => document.getElementById("files").click());
document.getElementById("files").addEventListener("change", event => open_files([...event.target.files]));
document.getElementById("theme").addEventListener("click", switch_theme);
addEventListener("dragover", event => { event.preventDefault(); document.body.classList.add("over"); });
addEventListener("dragleave", () => document.body.classList.remove("over"));
addEventListener("drop", event => {
  event.preventDefault();
  document.body.classList.remove("over");
  open_files([...event.dataTransfer.files]);
});
