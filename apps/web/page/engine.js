// The engine in its worker: requests and answers.
"use strict";

const engine = { worker: null, next: 1, waiting: new Map(), on_progress: () => {} };

// The engine's code: base64 of gzip data in the page.
async function wasm_bytes() {
  const packed = Uint8Array.from(atob(document.getElementById("wasm").textContent.trim()), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

// Begins a worker; a former one and its memory are gone.
async function start_engine() {
  engine.worker?.terminate();
  engine.waiting.forEach(({ reject }) => reject(new Error("another trace was opened")));
  engine.waiting.clear();
  const code = new Blob([document.getElementById("worker").textContent], { type: "text/javascript" });
  engine.worker = new Worker(URL.createObjectURL(code));
  engine.worker.onmessage = ({ data }) => {
    if (data.progress) return engine.on_progress(data.progress, data.done);
    const waiting = engine.waiting.get(data.id);
    engine.waiting.delete(data.id);
    if (data.answer.error !== undefined) waiting?.reject(Object.assign(new Error(data.answer.error), data.answer));
    else waiting?.resolve(data.answer.ok);
  };
  await send({ wasm: await wasm_bytes() });
}

function send(message) {
  const id = engine.next++;
  return new Promise((resolve, reject) => {
    engine.waiting.set(id, { resolve, reject });
    engine.worker.postMessage({ ...message, id });
  });
}

// Asks the engine.
function ask(op, parameters = {}) {
  return send({ request: { op, ...parameters } });
}
