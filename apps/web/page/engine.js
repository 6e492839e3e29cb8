// The engine in its worker: requests and answers.
"use strict";

// The engine's code: base64 of gzip data in the page, or a file beside it. It is compiled once, for all workers.
let code = null;
function compiled() {
  code ??= (async () => {
    const inside = document.getElementById("wasm").textContent.trim();
    if (inside === "") return WebAssembly.compile(await (await fetch("engine.wasm")).arrayBuffer());
    // Its text is not needed any more: that is megabytes.
    document.getElementById("wasm").textContent = " ";
    // A loop, as `Uint8Array.from` makes a list of all characters first.
    const text = atob(inside);
    const packed = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) packed[at] = text.charCodeAt(at);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  })();
  return code;
}

function new_worker() {
  const text = document.getElementById("worker").textContent;
  return new Worker(text.trim() === "" ? "worker.js" : URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
}

class Engine {
  // `on_progress(progress, done)` is told how far the list of events is.
  constructor(on_progress = () => {}) {
    Object.assign(this, { next: 1, waiting: new Map(), worker: new_worker() });
    this.worker.onmessage = ({ data }) => {
      if (data.progress) return on_progress(data.progress, data.done);
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.answer.error !== undefined) waiting?.reject(Object.assign(new Error(data.answer.error), data.answer));
      else waiting?.resolve(data.answer.ok);
    };
  }

  send(message) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ ...message, id });
    });
  }

  // Opens files as one trace, of each at most `most` bytes, and answers with what it is.
  async open(files, most = Infinity) {
    await this.send({ code: await compiled() });
    const sized = files.map(file => ({ name: file.name, len: Math.min(file.size, most) }));
    return this.send({ files, request: { op: "open", files: sized } });
  }

  ask(op, parameters = {}) {
    return this.send({ request: { op, ...parameters } });
  }

  // Reads no further in the list of events.
  stop() {
    return this.send({ stop: true });
  }

  // Ends the worker; its memory is free.
  end() {
    this.worker.terminate();
    this.waiting.forEach(({ reject }) => reject(new Error("another trace was opened")));
    this.waiting.clear();
  }
}

// The engine whose trace is shown.
let engine = null;

function ask(op, parameters = {}) {
  return engine.ask(op, parameters);
}
