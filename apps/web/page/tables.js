// Tables that sort by a click on a column and are filtered by text.
"use strict";

// `columns`: {name, value(row), text(row), number}.
function table_view(columns, rows, left_out, click) {
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
    const cells = row => columns.map(column => el("td", column.number ? { class: "number" } : {}, visible(column.text(row) ?? "")));
    const line = row => el("tr", click ? { tabindex: "0", onclick: () => click(row), onkeydown: event => event.key === "Enter" && click(row) } : {}, ...cells(row));
    body.replaceChildren(...shown.slice(0, 2000).map(line));
    const hidden = shown.length - Math.min(shown.length, 2000) + left_out;
    count.textContent = grouped(shown.length + left_out) + " rows" + (hidden > 0 ? ", " + grouped(hidden) + " not shown" : "");
  }
  const count = el("span", {});
  fill();
  return el("div", {}, el("p", {}, search, " ", count), el("table", {}, el("thead", {}, el("tr", {}, ...heads)), body));
}
