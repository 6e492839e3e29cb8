// Checks of the viewer: what it shows is what the program says.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { check_access, check_canvas_keys, check_tab_keys } from "./access_check.mjs";
import { check_completion } from "./completion_check.mjs";
import { check_histogram } from "./histogram_check.mjs";
import { Program } from "./program.mjs";

// Milliseconds that making the rows of a view may take.
const MOST_MS = 4;

// Opens a trace in the viewer, and compares.
export async function check_viewer(browser, program, viewer, trace, out, tell) {
  const page = await browser.page();
  const url = pathToFileURL(viewer).href;
  await page.open(url);
  await open_files(page, [trace.path]);
  const info = program.json("info", trace.path, "--json");
  tell.same("events", await tile(page, "events"), String(info.events));
  tell.same("undecoded events", await tile(page, "undecoded"), String(info.undecoded_events));
  tell.same("rows of the list", await page.value("list.total"), info.events);
  await compare_counts(page, program, trace, tell);
  await compare_filters(page, program, trace, tell);
  await check_completion(page, tell);
  await type_filter(page, " ");
  await compare_export(page, program, trace, tell);
  await compare_time(page, program, trace, tell);
  await check_histogram(page, tell);
  await check_tab_keys(page, tell);
  await check_canvas_keys(page, tell);
  await measure_rows(page, trace, tell);
  await page.until("document.body.dataset.lanes !== undefined");
  tell.same("elements that a trace made", await page.value("document.querySelectorAll('img, iframe, object, main script, [onerror]').length"), 0);
  await pictures(page, out, trace.name, tell);
  tell.quiet(page, url);
  await page.close();
}

// Several files as one trace. The program gets them by the names that the page knows.
export async function check_several(browser, { path }, viewer, traces, tell) {
  const folder = mkdtempSync(join(tmpdir(), "etwkit-several-"));
  const names = traces.map(trace => basename(trace));
  traces.forEach((trace, at) => symlinkSync(trace, join(folder, names[at])));
  const program = new Program(path, folder);
  const page = await browser.page();
  await page.open(pathToFileURL(viewer).href);
  await open_files(page, traces);
  const counted = program.rows("count", ...names).reduce((sum, row) => sum + row.events, 0);
  tell.same("events of several files", await page.value("list.total"), counted);
  await compare_export(page, program, { path: names }, tell);
  await page.until("!document.getElementById('status').textContent.startsWith('Saved')", 20);
  tell.same("the status line some seconds after saving", await page.value("document.getElementById('status').textContent"),
    await page.value("counted(list.total, 'event')"));
  tell.quiet(page, pathToFileURL(viewer).href);
  await page.close();
  rmSync(folder, { recursive: true });
}

// Chooses files, and waits until all is read.
export async function open_files(page, files) {
  await page.choose("#files", files);
  await page.until("document.body.dataset.scanned === 'true' && document.body.dataset.opened !== undefined", 600);
  await page.until("document.querySelector('#facets button') !== null || list.total === 0");
}

async function tile(page, name) {
  const text = await page.value(`document.querySelector('[data-tile="${name}"]').textContent`);
  return text.replaceAll("\u202f", "");
}

// The counts beside the list are those of `count`.
async function compare_counts(page, program, trace, tell) {
  const found = await page.value("ask('facets').then(facets => facets.providers.map(one => one.value + ' ' + one.events).sort())");
  const sums = new Map();
  for (const row of program.rows("count", trace.path)) sums.set(row.keys.provider, (sums.get(row.keys.provider) ?? 0) + row.events);
  tell.same("providers", JSON.stringify(found), JSON.stringify([...sums].map(([name, events]) => name + " " + events).sort()));
}

// What is typed gives the rows of `dump --where`; a mistake is shown at its place.
async function compare_filters(page, program, trace, tell) {
  const most = program.rows("count", trace.path)[0].keys;
  const pid = program.rows("count", trace.path, "--group-by", "pid").map(row => row.keys.pid).find(pid => pid !== null && pid !== undefined);
  await page.value("show_tab('events')");
  const quoted = text => '"' + text.replace(/(["\\])/g, "\\$1") + '"';
  const filters = ["header.event == " + quoted(most.event), "header.pid == " + (pid ?? 0), "cpu == 0 and not (header.level <= 3)"];
  for (const filter of filters.filter(text => !/[\u0000-\u001f\u2028]/.test(text))) {
    await type_filter(page, filter);
    const lines = program.run("dump", "-f", "jsonl", "--quiet", "--where", filter, trace.path).toString().split("\n").length - 1;
    tell.same("rows of " + filter, await page.value("list.total"), lines);
  }
  await page.type("#filter", "pid == ");
  await page.until("document.getElementById('wrong').textContent !== ''");
  tell.same("a mistake has its place", await page.value("document.getElementById('wrong').textContent.includes('^')"), true);
  await type_filter(page, " ");
}

// Types a filter, and waits until the trace was read for it.
async function type_filter(page, filter) {
  const before = await page.value("list.generation");
  await page.type("#filter", filter);
  await page.until("list.generation > " + before + " && document.body.dataset.scanned === 'true'", 300);
}

// The file that the page saves is byte for byte what the program writes.
async function compare_export(page, program, trace, tell) {
  const paths = [trace.path].flat();
  const folder = join(page.browser.profile, "saved");
  mkdirSync(folder, { recursive: true });
  await page.browser.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  const hash = bytes => createHash("sha256").update(bytes).digest("hex");
  const saved = async (click, name) => {
    await page.value(click);
    await page.until("document.getElementById('status').textContent.startsWith('Saved')", 300);
    for (let tries = 0; tries < 200 && !readdirSync(folder).includes(name); tries++) await new Promise(done => setTimeout(done, 50));
    const bytes = readFileSync(join(folder, name));
    rmSync(join(folder, name));
    return bytes;
  };
  const lines = program.run("dump", "--stacks", "-f", "jsonl", "--quiet", ...paths);
  tell.same("saved JSON lines", hash(await saved("export_list('jsonl')", "events.jsonl")), hash(lines));
  if (await page.value("[...document.querySelectorAll('.filter button')].some(each => each.textContent === 'Save pcapng')")) {
    const packets = join(folder, "native.pcapng");
    program.run("pcap", ...paths, "-o", packets);
    tell.same("saved packets", hash(await saved("export_packets()", "packets.pcapng")), hash(readFileSync(packets)));
  }
}

// A link to the time of an event selects the first event of that time.
async function compare_time(page, program, trace, tell) {
  const rows = program.rows("dump", "--quiet", trace.path);
  const time = rows[Math.floor(rows.length * 0.7)]?.time;
  if (!time) return;
  const expected = rows.findIndex(row => row.time >= time);
  await page.value("list.row = null, location.hash = '#t=" + time + "'");
  await page.until("list.row !== null");
  tell.same("the row of " + time, await page.value("list.row"), expected);
  await page.value("location.hash = ''");
}

// Scrolls, and takes the time that making rows takes: the median of 40 draws.
async function measure_rows(page, trace, tell) {
  await page.value("show_tab('events')");
  const spent = await page.value(`(async () => {
    const all = [];
    for (let step = 0; step < 40; step++) {
      list.grid.top = Math.floor((list.grid.last_top * (step % 20)) / 20);
      await list.grid.draw();
      all.push(list.grid.spent);
    }
    return all.sort((a, b) => a - b)[20];
  })()`);
  tell.note("viewer of " + trace.name + ": opened in " + await page.value("document.body.dataset.opened") + " ms, rows drawn in " + spent.toFixed(2) + " ms");
  tell.same("rows are drawn in " + MOST_MS + " ms", spent <= MOST_MS, true, spent);
}

async function pictures(page, out, name, tell) {
  await page.value("show_tab('events'), list.grid.select(Math.min(3, list.total - 1))");
  const top = await page.value("list.grid.top");
  for (const [width, height, scheme] of [[1280, 720, "light"], [1280, 720, "dark"], [1920, 1080, "light"], [1920, 1080, "dark"]]) {
    await page.look(width, height, scheme);
    for (const tab of await page.value("[...document.querySelectorAll('nav [data-tab]')].map(each => each.dataset.tab).filter(tab => tab !== 'messages')")) {
      await page.value(`show_tab("${tab}")`);
      await page.until(`document.getElementById("${tab}").childElementCount > 0 && !document.getElementById("${tab}").textContent.includes("Adding up")`);
      if (tab === "events") {
        await page.value("new Promise(done => setTimeout(done, 200))");
        tell.same("the list's first row in another size", await page.value("list.grid.top"), top);
      }
      if (width === 1280 && scheme === "light") await check_access(page, tab, tell);
      await page.screenshot(join(out, `${name}.viewer.${tab}.${width}.${scheme}.png`));
    }
  }
}
