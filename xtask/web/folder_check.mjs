// Checks of the viewer as a folder: a web server hands it out once, and then it works without one.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { open_files } from "./viewer_check.mjs";

const TYPES = { html: "text/html", js: "text/javascript", wasm: "application/wasm" };

export async function check_folder(browser, program, folder, trace, tell) {
  const server = createServer((request, response) => {
    const name = request.url === "/" ? "index.html" : request.url.slice(1);
    try {
      const bytes = readFileSync(join(folder, name));
      response.writeHead(200, { "Content-Type": TYPES[name.split(".").pop()] }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  const page = await browser.page();
  await page.open(url);
  await page.until("navigator.serviceWorker.ready.then(ready => ready.active.state === 'activated')");
  await opened(page, program, trace, tell, "with a server");
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
  await page.open(url + "#without-a-server");
  await page.send("Page.reload");
  await page.until("document.readyState === 'complete'");
  await opened(page, program, trace, tell, "without a server");
  tell.quiet(page, ...page.requests.filter(request => request.startsWith(url)));
  await page.close();
}

async function opened(page, program, trace, tell, how) {
  await open_files(page, [trace]);
  const counted = program.rows("count", trace).reduce((sum, row) => sum + row.events, 0);
  tell.same("events " + how, await page.value("list.total"), counted);
}
