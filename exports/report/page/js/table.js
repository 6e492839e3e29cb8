// A table that sorts and filters. Few rows are made at first, because pages have many tables.
const FEW = 12, MANY = 300;
function table(data) {
  const total = data.rows.length + data.left_out;
  const section = part("t-" + data.id, data.title, total);
  section.className = "tablepart";
  const state = { sort: -1, sign: 1, words: "", most: data.id === "all-events" || data.id === "first" || data.id === "problems" ? 40 : FEW };
  const body = el("tbody"), count = el("span", { class: "count", "data-total": total }), more = el("p", { class: "more" });
  const filter = el("input", { type: "search", placeholder: "filter rows", "aria-label": "Filter rows of " + data.title, oninput: () => { state.words = filter.value.toLowerCase(); fill(); } });
  const used = data.columns.map((column, place) => data.rows.some((row) => row[place] !== null));
  const heads = data.columns.map((column, place) => el("th", { scope: "col", "aria-sort": "none", class: NUMBERS.includes(column.kind) ? "num" : null }, el("button", { type: "button", title: column.about, onclick: () => sort(place) }, column.name)));
  const texts = data.rows.map((row) => row.map((value, place) => cellText(value, data.columns[place].kind)).join("\u0000").toLowerCase());
  function sort(place) {
    state.sign = state.sort === place ? -state.sign : NUMBERS.includes(data.columns[place].kind) ? -1 : 1;
    state.sort = place;
    heads.forEach((head, at) => head.setAttribute("aria-sort", at !== place ? "none" : state.sign > 0 ? "ascending" : "descending"));
    fill();
  }
  function fill() {
    const order = data.rows.map((_, number) => number).filter((number) => state.words.split(" ").every((word) => texts[number].includes(word)));
    if (state.sort >= 0) order.sort((a, b) => state.sign * compare(data.rows[a][state.sort], data.rows[b][state.sort]) || a - b);
    clear(body);
    for (const number of order.slice(0, state.most)) body.append(el("tr", {}, ...data.rows[number].map((value, place) => cell(value, data.columns[place])).filter((_, place) => used[place])));
    count.textContent = whole(total) + (total === 1 ? " row" : " rows") + (state.words ? ", " + whole(order.length) + " match" : "");
    clear(more);
    if (order.length > state.most) more.append(el("button", { type: "button", onclick: () => { state.most += MANY; fill(); } }, "Show " + whole(Math.min(MANY, order.length - state.most)) + " more"));
  }
  section.append(el("div", { class: "tablehead" }, el("h2", { id: section.id + "-h" }, data.title), count, el("code", {}, "etwkit " + data.command), filter));
  if (data.left_out) section.append(el("p", { class: "about" }, whole(data.left_out) + " more rows are not on this page: see the command, or --max-rows."));
  if (data.excess) section.append(el("p", { class: "warnline" }, whole(data.excess) + " things had no room: left out, or added up as all others."));
  if (!data.rows.length) section.append(el("p", { class: "about" }, "Nothing to report."));
  else section.append(el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": data.title }, el("table", {}, el("thead", {}, el("tr", {}, ...heads.filter((_, place) => used[place]))), body)), more);
  fill();
}
