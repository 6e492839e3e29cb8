// A list of millions of rows, of which only those in view exist.
"use strict";

const ROW = 22;
// Browsers make no element higher than this; longer lists are scrolled in proportion.
const MAX_HEIGHT = 8_000_000;

class Grid {
  // `columns`: {name, width, text(row), number}; `fetch(from, count)` gives rows; `on_select(number)`.
  constructor(root, columns, fetch, on_select) {
    Object.assign(this, { fetch, on_select, total: 0, top: 0, selected: -1, ticket: 0, spent: 0 });
    // The element that has the focus is the grid: readers follow its active row.
    this.head = el("div", { class: "head", role: "row", id: "grid-head", "aria-rowindex": "1" });
    this.rows = el("div", { class: "rows", role: "rowgroup" });
    this.spacer = el("div");
    this.scroll = el("div", { class: "scroll", tabindex: "0", role: "grid", "aria-label": "Events", "aria-owns": "grid-head" }, this.rows, this.spacer);
    root.classList.add("grid");
    root.replaceChildren(this.head, this.scroll);
    this.set_columns(columns);
    this.scroll.addEventListener("scroll", () => this.scrolled());
    this.scroll.addEventListener("wheel", event => this.wheel(event), { passive: false });
    this.scroll.addEventListener("keydown", event => this.key(event));
    new ResizeObserver(() => this.resized()).observe(this.scroll);
  }

  // Shows other columns.
  set_columns(columns) {
    this.columns = columns;
    this.template = columns.map(column => column.width).join(" ");
    this.head.style.gridTemplateColumns = this.template;
    this.head.replaceChildren(...columns.map(column => el("div", { class: column.number ? "cell number" : "cell", role: "columnheader" }, visible(column.name))));
    this.rows.replaceChildren();
    if (this.total > 0) this.draw();
  }

  get visible() {
    return Math.max(1, Math.floor(this.scroll.clientHeight / ROW));
  }

  get last_top() {
    return Math.max(0, this.total - this.visible);
  }

  set_total(total) {
    this.total = total;
    this.scroll.setAttribute("aria-rowcount", total + 1);
    const height = Math.min(total * ROW, MAX_HEIGHT);
    this.spacer.style.height = Math.max(0, height - this.visible * ROW) + "px";
    if (this.rows.childElementCount < Math.min(this.visible, total)) this.draw();
  }

  // A list that was hidden has lost its place in the browser.
  resized() {
    if (this.scroll.clientHeight === 0) return;
    // Columns end where those of the rows do, left of the scroll bar.
    this.head.style.paddingRight = this.scroll.offsetWidth - this.scroll.clientWidth + "px";
    this.set_total(this.total);
    this.go(this.top);
  }

  scrolled() {
    if (this.scroll.clientHeight === 0) return;
    if (this.moving) {
      this.moving = false;
      return;
    }
    const room = this.scroll.scrollHeight - this.scroll.clientHeight;
    this.top = room > 0 ? Math.round((this.scroll.scrollTop / room) * this.last_top) : 0;
    this.draw();
  }

  wheel(event) {
    event.preventDefault();
    this.go(this.top + Math.sign(event.deltaY) * Math.max(1, Math.round(Math.abs(event.deltaY) / ROW)));
  }

  // Shows the row first.
  go(top) {
    this.top = Math.min(Math.max(0, top), this.last_top);
    const room = this.scroll.scrollHeight - this.scroll.clientHeight;
    const at = this.last_top > 0 ? (this.top / this.last_top) * room : 0;
    this.moving = Math.abs(this.scroll.scrollTop - at) >= 1;
    this.scroll.scrollTop = at;
    this.draw();
  }

  key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: this.visible, PageUp: -this.visible, Home: -Infinity, End: Infinity };
    if (!(event.key in by)) return;
    event.preventDefault();
    const from = this.selected < 0 ? this.top - 1 : this.selected;
    this.select(Math.min(Math.max(0, from + by[event.key]), this.total - 1));
  }

  select(number) {
    if (this.total === 0) return;
    this.selected = number;
    if (number < this.top) this.go(number);
    else if (number >= this.top + this.visible) this.go(number - this.visible + 1);
    else this.mark();
    this.on_select(number);
  }

  mark() {
    let active = null;
    for (const row of this.rows.children) {
      const is_selected = Number(row.dataset.row) === this.selected;
      row.setAttribute("aria-selected", is_selected);
      if (is_selected) active = row;
    }
    if (active) this.scroll.setAttribute("aria-activedescendant", active.id);
    else this.scroll.removeAttribute("aria-activedescendant");
  }

  async draw() {
    const ticket = ++this.ticket;
    let rows;
    try {
      rows = await this.fetch(this.top, this.visible + 1);
    } catch {
      // The engine was ended, for another trace.
      return;
    }
    if (ticket !== this.ticket) return;
    const begin = performance.now();
    this.rows.style.height = this.scroll.clientHeight + "px";
    // Elements are used again: making new ones costs more than the rest.
    while (this.rows.childElementCount < rows.length) this.rows.append(this.empty_row());
    while (this.rows.childElementCount > rows.length) this.rows.lastChild.remove();
    rows.forEach((row, at) => this.fill(this.rows.children[at], row));
    this.mark();
    this.spent = performance.now() - begin;
    if (rows.length > 0) document.body.dataset.firstRows ??= Math.round(performance.now() - opened.at);
  }

  empty_row() {
    const look = column => (column.number ? "cell number" : column.halves ? "cell halves" : "cell");
    const half = () => el("span", {}, document.createTextNode(""));
    const texts = column => (column.halves ? [half(), half()] : [document.createTextNode("")]);
    const cell = column => el("div", { class: look(column), role: "gridcell" }, ...texts(column));
    const made = el("div", { role: "row", style: "grid-template-columns:" + this.template }, ...this.columns.map(cell));
    made.addEventListener("click", () => this.select(Number(made.dataset.row)));
    made.addEventListener("mouseover", ({ target }) => {
      const cell = target.closest(".cell");
      if (cell) cell.title = cell.textContent;
    });
    return made;
  }

  fill(element, row) {
    element.dataset.row = row.row;
    element.id = "row-" + row.row;
    element.setAttribute("aria-rowindex", row.row + 2);
    element.className = "row level" + (row.event.level ?? "");
    this.columns.forEach((column, at) => {
      const cell = element.children[at], text = visible(String(column.text(row) ?? "").slice(0, 500));
      if (!column.halves) cell.firstChild.data = text;
      else halves(text).forEach((half, part) => { cell.children[part].firstChild.data = half; });
    });
  }
}
