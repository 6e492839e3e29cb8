// Checks of `etwkit view`: the page opens what the program serves with it, and asks for nothing else.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export async function check_served(browser, program, viewer, trace, tell) {
  const child = spawn(program.path, ["view", "--no-open", "--page", viewer, trace], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).once("line", resolve);
      child.once("exit", code => reject(new Error("it ended with " + code)));
    });
    const page = await browser.page();
    await page.open(address);
    await page.until("document.body.dataset.scanned === 'true' && document.body.dataset.opened !== undefined", 600);
    const counted = program.rows("count", trace).reduce((sum, row) => sum + row.events, 0);
    tell.same("events that are served", await page.value("list.total"), counted);
    await page.until("document.body.dataset.lanes !== undefined");
    tell.quiet(page, address, address + "0");
    await page.close();
  } finally {
    child.kill();
  }
}
