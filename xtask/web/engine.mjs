// The engine of the viewer under Node: what apps/web/page/worker.js is in a browser.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";

export class Engine {
  // `code` is a compiled WebAssembly.Module.
  constructor(code) {
    const imports = { page: { read: this.read.bind(this), panicked: this.panicked.bind(this) } };
    const unused = () => { throw new Error("a function that is never called"); };
    for (const { module, name } of WebAssembly.Module.imports(code)) (imports[module] ??= {})[name] ??= unused;
    this.exports = new WebAssembly.Instance(code, imports).exports;
    this.files = [];
  }

  read(file, offset, room, len) {
    const bytes = new Uint8Array(this.exports.memory.buffer, room, len);
    return readSync(this.files[file], bytes, 0, len, offset);
  }

  panicked(text, len) {
    console.error(new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, text, len)));
  }

  open(paths) {
    this.files = paths.map(path => openSync(path));
    return this.call({ op: "open", files: paths.map((path, at) => ({ name: basename(path), len: fstatSync(this.files[at]).size })) });
  }

  // Reads all of the list of what passes a filter, and returns the number of its events.
  scan(filter) {
    let progress = this.call({ op: "list", filter });
    while (progress.parts < progress.of) progress = this.call({ op: "step" });
    return progress.rows;
  }

  close() {
    this.files.forEach(closeSync);
  }

  call(request) {
    const text = new TextEncoder().encode(JSON.stringify(request));
    const at = this.exports.etwkit_alloc(text.length);
    new Uint8Array(this.exports.memory.buffer).set(text, at);
    const answer = this.exports.etwkit_call(at, text.length);
    const len = new DataView(this.exports.memory.buffer).getUint32(answer, true);
    const parsed = JSON.parse(new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, answer + 4, len)));
    this.exports.etwkit_free(answer, len);
    if (parsed.error !== undefined) throw new Error(parsed.error);
    return parsed.ok;
  }
}
