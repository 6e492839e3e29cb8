// Checks for people who use the keyboard or a screen reader: names, roles, the order of the focus.

// Roles that say nothing of what an element is for.
const NO_ROLES = ["generic", "none", "presentation"];
const MOST_STEPS = 60;

// What is on the page now: everything that takes the focus has a name and a role, and the Tab key goes through it in order.
export async function check_access(page, about, tell) {
  const { nodes } = await page.send("Accessibility.getFullAXTree");
  const has = (node, name) => node.properties?.some(each => each.name === name && each.value.value === true);
  const nameless = nodes.filter(node => !node.ignored && has(node, "focusable") && node.role.value !== "RootWebArea"
    && (!node.name?.value?.trim() || NO_ROLES.includes(node.role.value)));
  const found = await Promise.all(nameless.slice(0, 5).map(node => html_of(page, node)));
  tell.same(about + ": elements that take the focus without a name or a role", nameless.length, 0, found.join("  "));
  tell.same(about + ": ids that are named and missing", await page.value("(" + missing_ids + ")()"), "");
  const { order, unseen } = await walk(page);
  tell.same(about + ": steps of the Tab key against the order of the page", order, 0);
  tell.same(about + ": elements whose focus is not seen", unseen, "");
}

async function html_of(page, node) {
  const { outerHTML } = await page.send("DOM.getOuterHTML", { backendNodeId: node.backendDOMNodeId });
  return outerHTML.slice(0, 120);
}

// Runs in the page.
function missing_ids() {
  const names = ["aria-controls", "aria-labelledby", "aria-describedby", "aria-owns", "aria-activedescendant"];
  const ids = names.flatMap(name => [...document.querySelectorAll("[" + name + "]")].flatMap(each => each.getAttribute(name).split(" ")));
  return [...new Set(ids)].filter(id => document.getElementById(id) === null).join(" ");
}

// Presses Tab from the first button of the page on.
async function walk(page) {
  await page.value("window.walked = window.begun = document.querySelector('button, a[href]'), begun.focus()");
  let order = 0, unseen = new Set();
  for (let step = 0; step < MOST_STEPS; step++) {
    await press(page, "Tab", 9);
    const at = await page.value("(" + step_to + ")()");
    if (at === null) break;
    if (at.is_back) order += 1;
    if (!at.is_seen) unseen.add(at.text);
  }
  // As it was, for the pictures.
  await page.value("document.activeElement.blur(), scrollTo(0, 0), document.querySelectorAll('main > section, #facets, #detail').forEach(each => each.scrollTo(0, 0))");
  return { order, unseen: [...unseen].join(" ") };
}

// Runs in the page: where the focus is, against where it was.
function step_to() {
  const now = document.activeElement, before = window.walked;
  // At the end, or there again.
  if (now === null || now === document.body || now === window.begun) return null;
  window.walked = now;
  const is_back = !(before.compareDocumentPosition(now) & (Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_CONTAINED_BY));
  const style = getComputedStyle(now);
  return { is_back, is_seen: style.outlineStyle !== "none", text: now.outerHTML.slice(0, 60) };
}

export async function press(page, key, code) {
  await page.send("Input.dispatchKeyEvent", { type: "keyDown", key, code: key, windowsVirtualKeyCode: code, text: key === "Enter" ? "\r" : undefined });
  await page.send("Input.dispatchKeyEvent", { type: "keyUp", key, code: key, windowsVirtualKeyCode: code });
}

// The tabs are one stop; arrow keys go from one to the next, and Enter shows a view. The list says which row is the active one.
export async function check_tab_keys(page, tell) {
  const focused = () => page.value("document.activeElement.dataset.tab ?? document.activeElement.outerHTML.slice(0, 60)");
  await page.value("show_tab('overview'), document.querySelector('nav [aria-selected=true]').focus()");
  tell.same("tabs that the Tab key stops at", await page.value("document.querySelectorAll('nav [tabindex=\"0\"]').length"), 1);
  await press(page, "ArrowRight", 39);
  tell.same("the tab right of it", await focused(), "events");
  await press(page, "Enter", 13);
  tell.same("Enter shows its view", await page.value("document.getElementById('events').hidden"), false);
  await press(page, "End", 35);
  tell.same("the last tab", await focused(), "problems");
  await page.value("document.querySelector('.grid .scroll').focus()");
  await press(page, "Home", 36);
  await page.until("list.row === 0");
  const active = "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))";
  tell.same("the active row", await page.value(active + "?.getAttribute('aria-rowindex')"), "2");
  tell.same("rows that a reader is told", await page.value("document.activeElement.getAttribute('aria-rowcount')"), await page.value("String(list.total + 1)"));
}

// The map of buffers and the flame graph are used by keys, and say where they are.
export async function check_canvas_keys(page, tell) {
  await page.value("show_tab('problems')");
  await page.until("document.querySelector('.map canvas') !== null");
  await page.value("document.querySelector('.map canvas').focus()");
  await press(page, "ArrowRight", 39);
  tell.same("the buffer that the arrow key went to", await page.value("document.querySelector('.map p').textContent.startsWith('Offset 0,')"), true);
  await press(page, "Enter", 13);
  await page.until("!document.querySelector('#problems pre.hex').hidden");
  tell.same("its first byte", await page.value("document.querySelector('#problems pre.hex').textContent.startsWith('00000000  ')"), true);
  await page.value("show_tab('stacks')");
  await page.until("document.getElementById('stacks').childElementCount > 0 && !document.getElementById('stacks').textContent.includes('Adding up')");
  if (!(await page.value("document.querySelector('#stacks canvas') !== null"))) return;
  await page.value("document.querySelector('#stacks canvas').focus()");
  await press(page, "ArrowDown", 40);
  const heaviest = "ask('stacks').then(tree => { const top = linked(tree).children[0]; return box_text(top, tree); })";
  tell.same("the frame that Down went to", await page.value("document.querySelector('#stacks p[aria-live]').textContent"), await page.value(heaviest));
}
