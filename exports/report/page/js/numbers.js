// Numbers and times for people. Units are 100 ns since the base of the axis.
const SECOND = 1e7;
function whole(number) {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}
function amount(number) {
  if (Math.abs(number) >= 1e6) {
    for (const [size, unit] of [[1e12, "T"], [1e9, "G"], [1e6, "M"]]) {
      if (Math.abs(number) >= size) return (number / size).toPrecision(3) + " " + unit;
    }
  }
  return Number.isInteger(number) ? whole(number) : decimals(number, 3);
}
function decimals(number, most) {
  const [before, after] = String(+number.toFixed(most)).split(".");
  return whole(before) + (after ? "." + after : "");
}
function span(units) {
  const seconds = units / SECOND;
  if (seconds >= 172800) return decimals(seconds / 86400, 1) + " days";
  const [minutes, total] = [Math.floor(seconds / 60), Math.floor(seconds)];
  if (minutes >= 120) return Math.floor(minutes / 60) + " h " + (minutes % 60) + " min";
  if (minutes >= 2) return minutes + " min " + (total % 60) + " s";
  if (seconds >= 1) return decimals(seconds, 3) + " s";
  if (seconds >= 1e-3) return decimals(seconds * 1e3, 3) + " ms";
  return decimals(seconds * 1e6, 1) + " µs";
}
const UNIX_EPOCH = 116444736000000000n;
function clock(units, digits) {
  const all = BigInt(DATA.time.base) + BigInt(Math.round(units)) - UNIX_EPOCH;
  const below = ((all % 10000000n) + 10000000n) % 10000000n;
  const date = new Date(Number((all - below) / 10000n));
  if (isNaN(date)) return "+" + span(units);
  const fraction = digits ? "." + String(below).padStart(7, "0").slice(0, digits) : "";
  return date.toISOString().slice(11, 19) + fraction;
}
function stamp(units) {
  const all = BigInt(DATA.time.base) + BigInt(Math.round(units)) - UNIX_EPOCH;
  const date = new Date(Number(all / 10000n));
  if (isNaN(date)) return "+" + span(units);
  return date.toISOString().slice(0, 10) + " " + clock(units, 7);
}
