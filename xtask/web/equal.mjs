// Compares the JSON lines of the viewer's engine with those of the program, byte by byte.
// usage: node equal.mjs ENGINE.wasm PROGRAM TRACE...
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Engine } from "./engine.mjs";

const [wasm, program, ...traces] = process.argv.slice(2);
const code = new WebAssembly.Module(readFileSync(wasm));
let wrong = 0, equal = 0, refused = 0;
for (const trace of traces) {
  const options = { maxBuffer: 2 ** 31, env: { ...process.env, _NT_SYMBOL_PATH: "" } };
  const native = spawnSync(program, ["dump", "--stacks", "-f", "jsonl", "--quiet", trace], options);
  const expected = createHash("sha256").update(native.stdout).digest("hex");
  const outcome = hash_of(trace);
  if (outcome === null && native.stdout.length === 0) refused += 1;
  else if (outcome === expected) equal += 1;
  else {
    wrong += 1;
    console.log(basename(trace) + ": the engine of the viewer writes other JSON lines than the program");
  }
}
console.log(equal + " traces are equal, " + refused + " are refused by both, " + wrong + " differ");
process.exit(wrong === 0 ? 0 : 1);

// The hash of what the engine writes; null if it does not open the trace.
function hash_of(trace) {
  const engine = new Engine(code);
  const hash = createHash("sha256");
  try {
    engine.open([trace]);
  } catch (error) {
    return null;
  }
  engine.scan("");
  for (let part = 0; ; part++) {
    const text = engine.call({ op: "export", format: "jsonl", part });
    if (text === null) break;
    hash.update(text);
  }
  engine.close();
  return hash.digest("hex");
}
