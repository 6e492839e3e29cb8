// Checks of a report: what its document says is what the program says.
import { check_access, press } from "./access_check.mjs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// Makes the report of a trace, opens it, and compares.
export async function check_report(browser, program, trace, out, tell) {
  const file = join(out, trace.name + ".report.html");
  program.run("report", trace.path, "-o", file);
  const page = await browser.page();
  await page.open(pathToFileURL(file).href);
  await page.until("document.documentElement.dataset.ready === 'yes'");
  const begun = await page.value("Math.round(performance.getEntriesByType('navigation')[0].domComplete)");
  await compare_tiles(page, program, trace, tell);
  await compare_tables(page, program, trace, tell);
  await try_controls(page, tell);
  await try_flame_keys(page, tell);
  tell.same("scripts of the page", await page.value("document.scripts.length"), 2);
  tell.same("elements that a trace made", await page.value("document.querySelectorAll('img, iframe, object, main script, [onerror]').length"), 0);
  await check_access(page, "report", tell);
  await pictures(page, out, trace.name);
  tell.quiet(page, pathToFileURL(file).href);
  tell.note("report of " + trace.name + ": shown after " + begun + " ms");
  await page.close();
}

async function compare_tiles(page, program, trace, tell) {
  const tile = id => page.value(`document.getElementById("tile-${id}")?.dataset.value ?? null`);
  const info = program.json("info", trace.path, "--json");
  const counted = program.rows("count", trace.path).reduce((sum, row) => sum + row.events, 0);
  tell.same("events of info", Number(await tile("events")), info.events);
  tell.same("events of count", Number(await tile("events")), counted);
  tell.same("undecoded events", Number(await tile("undecoded")), info.undecoded_events);
  const lost = await tile("lost");
  if (/^\d+$/.test(lost)) tell.same("lost events", Number(lost), info.events_lost);
  tell.same("verdict", await tile("verdict"), program.json("check", trace.path, "--json").verdict);
}

// Down goes to the heaviest frame, Enter enlarges it, and Escape shows all again.
async function try_flame_keys(page, tell) {
  if (!(await page.value("document.querySelector('canvas.flame') !== null"))) return;
  const said = "document.querySelector('#flame p[aria-live]').textContent";
  const [heaviest, all] = await page.value("(tree => [tree.below[0].weight, tree.weight].map(whole))(callTree(DATA.flame.nodes))");
  await page.value("document.querySelector('canvas.flame').focus()");
  await press(page, "ArrowDown", 40);
  tell.same("the frame that Down went to", await page.value(said + `.includes(${JSON.stringify(heaviest + " samples")})`), true);
  await press(page, "Enter", 13);
  await press(page, "ArrowUp", 38);
  tell.same("the frame that Up went to", await page.value(said + `.includes(${JSON.stringify(all + " samples")})`), true);
  await press(page, "Escape", 27);
  tell.same("what is said when all is shown", await page.value(said), "");
}

// Every table of an analysis has as many rows as the analysis prints, and each shown row is one of those.
async function compare_tables(page, program, trace, tell) {
  const tables = await page.value("(" + read_tables + ")()");
  for (const table of tables.filter(each => each.command.startsWith("analyze "))) {
    const rows = program.rows(...table.command.split(" "), trace.path);
    tell.same(table.command + ": rows", table.total, rows.length);
    const text = row => JSON.stringify(table.numbers.map(name => (row[name] === undefined || row[name] === null ? "" : String(row[name]))));
    const known = new Set(rows.map(text));
    const strange = table.rows.filter(row => !known.has(text(row)));
    tell.same(table.command + ": rows that the analysis does not have", strange.length, 0, JSON.stringify(strange[0]));
  }
}

// Runs in the page: the tables as they are shown, with the columns whose numbers are shown whole.
function read_tables() {
  return DATA.tables.map(data => {
    const section = document.getElementById("t-" + data.id);
    const names = [...section.querySelectorAll("th button")].map(button => button.textContent);
    const numbers = data.columns.filter(column => ["id", "count"].includes(column.kind)).map(column => column.name);
    const rows = [...section.querySelectorAll("tbody tr")].map(row => {
      const cells = [...row.children].map((cell, at) => [names[at], cell.textContent.replaceAll("\u202f", "")]);
      return Object.fromEntries(cells);
    });
    return { command: data.command, total: Number(section.querySelector(".count").dataset.total), numbers, rows };
  });
}

// The filter of a table, sorting, and keys of lanes do what they say, and all can be reached by the keyboard.
async function try_controls(page, tell) {
  const filtered = await page.value(`(() => {
    const section = document.getElementById("t-events"), input = section.querySelector("input");
    const text = section.querySelector("tbody td").textContent.slice(0, 12).toLowerCase();
    input.value = text;
    input.dispatchEvent(new Event("input"));
    const rows = [...section.querySelectorAll("tbody tr")];
    const fit = rows.length > 0 && rows.every(row => row.textContent.toLowerCase().includes(text));
    input.value = "";
    input.dispatchEvent(new Event("input"));
    return fit;
  })()`);
  tell.same("a table's filter shows what fits", filtered, true);
  const sorted = await page.value(`(() => {
    const section = document.getElementById("t-events"), head = section.querySelector("th");
    head.querySelector("button").click();
    return head.getAttribute("aria-sort");
  })()`);
  tell.same("a click on a column sorts", sorted, "ascending");
  const lane = await page.value("(() => { const lane = document.querySelector('.group canvas'); lane?.focus(); return lane !== null; })()");
  if (lane) {
    await page.key("+");
    tell.same("+ enlarges the lanes", await page.value("axis.to - axis.from < 0.99"), true);
    await page.key("0");
    tell.same("0 shows all of the lanes", await page.value("axis.to - axis.from"), 1);
  }
  const nameless = await page.value(`[...document.querySelectorAll("button, input, canvas, nav")].filter(each =>
    !(each.textContent.trim() || each.getAttribute("aria-label") || document.getElementById(each.getAttribute("aria-labelledby")))).length`);
  tell.same("controls without a name", nameless, 0);
  await page.value("document.activeElement.blur(), scrollTo(0, 0)");
}

async function pictures(page, out, name) {
  for (const [width, height, scheme] of [[1280, 720, "light"], [1280, 720, "dark"], [1920, 1080, "light"], [1920, 1080, "dark"]]) {
    await page.look(width, height, scheme);
    await page.screenshot(join(out, `${name}.report.${width}.${scheme}.png`));
    await page.value("document.getElementById('lanes')?.scrollIntoView()");
    await page.screenshot(join(out, `${name}.lanes.${width}.${scheme}.png`));
    await page.value("scrollTo(0, 0)");
  }
}
