// Opens reports and the viewer in a headless Chromium, and compares what they show with what the program says.
// usage: node browser.mjs CHROMIUM PROGRAM VIEWER.html FOLDER-FOR-PICTURES TRACE...
// VIEWER.html has the folder form beside it, `viewer`; - checks reports only.
import { mkdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Browser } from "./chromium.mjs";
import { check_folder } from "./folder_check.mjs";
import { Program } from "./program.mjs";
import { check_report } from "./report_check.mjs";
import { check_served } from "./served_check.mjs";
import { Tell } from "./tell.mjs";
import { check_several, check_viewer } from "./viewer_check.mjs";

const [chromium, program_path, viewer, out, ...names] = process.argv.slice(2);
// The browser opens nothing by a relative path, and says nothing of it.
const paths = names.map(name => resolve(name));
mkdirSync(out, { recursive: true });
const program = new Program(program_path);
const browser = new Browser(chromium);
const tell = new Tell();

async function checked(about, check) {
  tell.begin(about);
  try {
    await check();
  } catch (error) {
    tell.same(error.stack, "an error", "none");
  }
}

for (const path of paths) {
  const trace = { path, name: basename(path) };
  await checked(trace.name, () => check_report(browser, program, trace, out, tell));
  if (viewer !== "-") await checked(trace.name, () => check_viewer(browser, program, viewer, trace, out, tell));
}
if (viewer !== "-") {
  const several = paths.slice(1, 3);
  await checked(several.map(path => basename(path)).join(" and "), () => check_several(browser, program, viewer, several, tell));
  await checked("etwkit view", () => check_served(browser, program, viewer, paths[1], tell));
  await checked("the folder", () => check_folder(browser, program, join(dirname(viewer), "viewer"), paths[1], tell));
}
await browser.close();
console.log(`${tell.agreed} comparisons agree, ${tell.wrong} do not; pictures are in ${out}`);
process.exit(tell.wrong === 0 ? 0 : 1);
