// Tables that sort by a click on a column and are filtered by text.
"use strict";

// `columns`: {name, value(row), text(row), number, time, kind}: of kind "wide" is text that is long, of kind "name" what may
// be. Those without any text are not shown.
function table_view(all, rows, left_out, click) {
  const columns = rows.length === 0 ? all : all.filter(column => rows.some(row => (column.text(row) ?? "") !== ""));
  const body = el("tbody");
  let order = { at: -1, down: false };
  const search = el("input", { type: "search", placeholder: "Filter rows", "aria-label": "Filter rows", oninput: fill });
  const heads = columns.map((column, at) => {
    const sort = () => { order = { at, down: order.at === at && !order.down }; fill(); };
    return el("th", { scope: "col", class: column.number ? "number" : "" }, el("button", { type: "button", onclick: sort }, column.name));
  });
  function fill() {
    const wanted = search.value.toLowerCase();
    let shown = rows.filter(row => columns.some(column => String(column.text(row) ?? "").toLowerCase().includes(wanted)));
    heads.forEach((head, at) => head.setAttribute("aria-sort", order.at !== at ? "none" : order.down ? "descending" : "ascending"));
    if (order.at >= 0) {
      const value = columns[order.at].value ?? columns[order.at].text;
      const compare = (a, b) => (a === b ? 0 : a === null || a === undefined ? 1 : b === null || b === undefined ? -1 : a < b ? -1 : 1);
      shown = [...shown].sort((a, b) => compare(value(a), value(b)) * (order.down ? -1 : 1));
    }
    const cells = row => columns.map(column => el("td", { class: column.number ? "number" : column.time ? "time" : (column.kind ?? "") }, visible(column.text(row) ?? "")));
    const name = row => columns.map(column => visible(column.text(row) ?? "")).filter(text => text !== "").join(", ").slice(0, 200);
    const line = (row, at) => el("tr", click ? { tabindex: at === 0 ? "0" : "-1", "aria-label": name(row), onclick: () => click(row),
      onkeydown: event => row_key(event, () => click(row)) } : {}, ...cells(row));
    body.replaceChildren(...shown.slice(0, 2000).map(line));
    const hidden = shown.length - Math.min(shown.length, 2000) + left_out;
    count.textContent = counted(shown.length + left_out, "row") + (hidden > 0 ? ", " + grouped(hidden) + " not shown" : "");
  }
  const count = el("span", {});
  fill();
  return el("div", {}, el("p", {}, search, " ", count), el("table", {}, el("thead", {}, el("tr", {}, ...heads)), body));
}

// Rows are one stop of the Tab key: arrow keys go from one to the next.
function row_key(event, chosen) {
  const row = event.currentTarget, to = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
  if (event.key === "Enter") chosen();
  if (!to) return;
  event.preventDefault();
  row.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}
