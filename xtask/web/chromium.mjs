// Drives a headless Chromium over a pipe, by the DevTools protocol; nothing but Node is needed.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--enable-precise-memory-info", "--remote-debugging-pipe", "about:blank",
];

export class Browser {
  constructor(program) {
    this.profile = mkdtempSync(join(tmpdir(), "etwkit-browser-"));
    const stdio = ["ignore", "ignore", "ignore", "pipe", "pipe"];
    this.child = spawn(program, ["--user-data-dir=" + this.profile, ...FLAGS], { stdio });
    this.next = 1;
    this.waiting = new Map();
    this.pages = new Map();
    let text = Buffer.alloc(0);
    this.child.stdio[4].on("data", bytes => {
      text = Buffer.concat([text, bytes]);
      for (let end = text.indexOf(0); end >= 0; end = text.indexOf(0)) {
        this.take(JSON.parse(text.subarray(0, end).toString()));
        text = text.subarray(end + 1);
      }
    });
  }

  take(message) {
    if (message.id === undefined) return this.pages.get(message.sessionId)?.event(message);
    const { resolve, reject } = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) reject(new Error(message.error.message));
    else resolve(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  // A page with its own size and its own light: `scheme` is light or dark.
  async page(width = 1280, height = 720, scheme = "light") {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, targetId, sessionId);
    this.pages.set(sessionId, page);
    for (const domain of ["Page", "Runtime", "Network", "Log", "DOM"]) await page.send(domain + ".enable");
    await page.look(width, height, scheme);
    return page;
  }

  async close() {
    const ended = new Promise(resolve => this.child.once("exit", resolve));
    await this.send("Browser.close").catch(() => {});
    await ended;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

class Page {
  constructor(browser, target, session) {
    Object.assign(this, { browser, target, session, errors: [], requests: [] });
  }

  event({ method, params }) {
    if (method === "Runtime.exceptionThrown") this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) this.errors.push(JSON.stringify(params.args.map(one => one.value ?? one.description)));
    if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) this.errors.push(params.entry.text);
    if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
  }

  send(method, params) {
    return this.browser.send(method, params, this.session);
  }

  async look(width, height, scheme) {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
  }

  async open(url) {
    await this.send("Page.navigate", { url });
    await this.until("document.readyState === 'complete' && location.href !== 'about:blank'");
  }

  // The value of an expression in the page; a promise is awaited.
  async value(expression) {
    const answer = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description ?? expression);
    return answer.result.value;
  }

  async until(expression, seconds = 120) {
    const end = Date.now() + seconds * 1000;
    while (!(await this.value(expression).catch(() => false))) {
      if (Date.now() > end) throw new Error("did not become true: " + expression);
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }

  // Gives files to an input element.
  async choose(selector, files) {
    const { root } = await this.send("DOM.getDocument");
    const { nodeId } = await this.send("DOM.querySelector", { nodeId: root.nodeId, selector });
    await this.send("DOM.setFileInputFiles", { nodeId, files });
  }

  // Types text as a person does, and ends it by Enter.
  async type(selector, text) {
    await this.value(`(() => { const at = document.querySelector(${JSON.stringify(selector)}); at.focus(); at.select(); })()`);
    await this.send("Input.insertText", { text });
    await this.key("Enter", "\r");
  }

  async key(key, text = undefined) {
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, text, windowsVirtualKeyCode: key === "Enter" ? 13 : 0 });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key });
  }

  async screenshot(file) {
    await this.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    writeFileSync(file, Buffer.from(data, "base64"));
  }

  close() {
    this.browser.pages.delete(this.session);
    return this.browser.send("Target.closeTarget", { targetId: this.target });
  }
}
