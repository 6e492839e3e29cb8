// Decodes profiles of pprof with `pprof-format` (npm), and prints the sums of their values.
import fs from 'fs';
import zlib from 'zlib';
import { createRequire } from 'module';

const [modules, file] = process.argv.slice(2);
const { Profile } = createRequire(modules + '/')('pprof-format');
const profile = Profile.decode(zlib.gunzipSync(fs.readFileSync(file)));
const locations = new Set(profile.location.map(location => String(location.id)));
const functions = new Set(profile.function.map(found => String(found.id)));
const sums = profile.sampleType.map(() => 0n);
let undefinedIds = 0;
for (const sample of profile.sample) {
  sample.value.forEach((value, place) => { sums[place] += BigInt(value); });
  for (const id of sample.locationId) undefinedIds += locations.has(String(id)) ? 0 : 1;
}
for (const location of profile.location) {
  for (const line of location.line) undefinedIds += functions.has(String(line.functionId)) ? 0 : 1;
}
console.log(JSON.stringify({ sums: sums.map(String), undefinedIds }));
