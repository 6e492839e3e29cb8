// Runs the engine. Reads are synchronous here, so that the engine reads a file by windows and never holds all of it.
"use strict";

// Bytes that are read at once near a place that was read before: a file is read from its begin to its end, in small pieces
// and not strictly in order. Elsewhere the engine gets what it asks for. Each read of the browser costs a task that waits
// until the engine returns, whose memory tens of thousands of small reads would add up to.
const AHEAD = 256 << 10;
// Bytes that are kept: the buffers of all processors that one time is in.
const KEPT = 8 << 20;
// After so many bytes more is reported to the collector.
const PRESSED = 1 << 20;
const PRESSURE = 16 << 20;
let unpressed = 0;
let files = [];
let engine = null;
let scan = null;
const reader = new FileReaderSync();
// What was read, the last used first.
const windows = [];

// Copies bytes of a file into the engine's memory.
function read(file, offset, room, len) {
  try {
    const { begin, bytes } = window_of(file, offset, len);
    const part = bytes.subarray(offset - begin, offset - begin + len);
    new Uint8Array(engine.memory.buffer).set(part, room);
    return part.length;
  } catch (error) {
    return -1;
  }
}

// A window that has all that is wanted, or what there is of it.
function window_of(file, offset, len) {
  const at = windows.findIndex(one => one.file === file && one.begin <= offset && offset + len <= one.begin + one.bytes.length);
  if (at >= 0) {
    const [found] = windows.splice(at, 1);
    windows.unshift(found);
    return found;
  }
  const is_near = windows.some(one => one.file === file && one.begin <= offset && offset <= one.begin + one.bytes.length + AHEAD);
  const end = Math.min(offset + Math.max(len, is_near ? AHEAD : 0), files[file].size);
  const made = { file, begin: offset, bytes: bytes_of(files[file], offset, end) };
  press(made.bytes.length);
  windows.unshift(made);
  let kept = 0;
  const most = windows.findIndex(one => (kept += one.bytes.length) > KEPT);
  if (most > 0) windows.splice(most).forEach(free);
  return made;
}

// Gives the memory of a window back at once; the garbage collector would let tens of megabytes of them wait.
function free({ bytes }) {
  bytes.buffer.transfer?.(0);
}

// What was read and is not kept waits for the garbage collector, which comes when tens of megabytes of buffers were made. It
// counts their bytes, those of a buffer that nothing was written to as well, which takes no memory: so it comes sooner.
function press(bytes) {
  unpressed += bytes;
  if (unpressed < PRESSED) return;
  unpressed = 0;
  new ArrayBuffer(PRESSURE);
}

// The bytes of a file between two places. A file that `etwkit view` serves has an address.
function bytes_of(file, from, to) {
  if (from >= to) return new Uint8Array(0);
  if (file.url === undefined) return new Uint8Array(reader.readAsArrayBuffer(file.slice(from, to)));
  const request = new XMLHttpRequest();
  request.open("GET", file.url, false);
  request.responseType = "arraybuffer";
  request.setRequestHeader("Range", "bytes=" + from + "-" + (to - 1));
  request.send();
  if (request.status !== 206) throw new Error("the file is not served any more");
  return new Uint8Array(request.response);
}

// Sends a request to the engine and returns its answer.
function call(request) {
  const text = new TextEncoder().encode(JSON.stringify(request));
  const at = engine.etwkit_alloc(text.length);
  new Uint8Array(engine.memory.buffer).set(text, at);
  const answer = engine.etwkit_call(at, text.length);
  const len = new DataView(engine.memory.buffer).getUint32(answer, true);
  const bytes = new Uint8Array(engine.memory.buffer, answer + 4, len);
  const parsed = JSON.parse(new TextDecoder().decode(bytes));
  engine.etwkit_free(answer, len);
  return parsed;
}

// Reads on in the list for a moment, then lets other requests in.
function go_on() {
  if (scan === null) return;
  const until = performance.now() + 40;
  let answer;
  do {
    answer = call({ op: "step" });
  } while (answer.ok && answer.ok.parts < answer.ok.of && performance.now() < until);
  const done = !answer.ok || answer.ok.parts >= answer.ok.of;
  postMessage({ progress: { ...answer, memory: engine.memory.buffer.byteLength }, done });
  if (done) scan = null;
  else setTimeout(go_on, 0);
}

function begin_scan() {
  if (scan === null) {
    scan = true;
    setTimeout(go_on, 0);
  }
}

// A panic of the engine is a defect of etwkit: what it states is kept for the report.
let last_words = "";
function panicked(text, len) {
  last_words = new TextDecoder().decode(new Uint8Array(engine.memory.buffer, text, len));
}

// Besides these two the code imports functions of a crate for random numbers, which encrypts archives and is never called.
function imports_of(code) {
  const unused = () => { throw new Error("a function that is never called"); };
  const imports = { page: { read, panicked } };
  for (const { module, name } of WebAssembly.Module.imports(code)) (imports[module] ??= {})[name] ??= unused;
  return imports;
}

async function start(code) {
  engine = (await WebAssembly.instantiate(code, imports_of(code))).exports;
}

onmessage = async ({ data }) => {
  const { id, request } = data;
  let answer;
  try {
    if (data.code) await start(data.code);
    if (data.files) [files, windows.length] = [data.files, 0];
    if (data.stop) scan = null;
    answer = request ? call(request) : { ok: null };
    if (answer.ok && (request?.op === "list" || request?.op === "open")) begin_scan();
    if (request?.op === "list" && !answer.ok) answer.kept = true;
  } catch (error) {
    // A panic of the engine ends it: the page reports it and starts a new worker.
    answer = { error: "The engine ended: " + (last_words || error), dead: true };
  }
  postMessage({ id, answer });
};
