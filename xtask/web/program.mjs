// What the program says of a trace: the pages must say the same.
import { spawnSync } from "node:child_process";

export class Program {
  // It runs in `folder`.
  constructor(path, folder = undefined) {
    Object.assign(this, { path, folder });
  }

  // What a command writes to stdout. Codes 0 and 1 are answers.
  run(...words) {
    const options = { cwd: this.folder, maxBuffer: 2 ** 31 - 1, env: { ...process.env, _NT_SYMBOL_PATH: "" } };
    const { status, stdout, stderr, error } = spawnSync(this.path, words, options);
    if (error || status === null || status > 1) throw new Error(words.join(" ") + ": " + (error ?? stderr.toString()));
    return stdout;
  }

  json(...words) {
    return JSON.parse(this.run(...words));
  }

  rows(...words) {
    const lines = this.run(...words, "-f", "jsonl").toString().split("\n");
    return lines.filter(line => line !== "").map(line => JSON.parse(line));
  }
}
