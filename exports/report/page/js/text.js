// Text of a trace as it is shown: characters that hide, reorder or control text become visible escapes, but for line feeds and
// tabs. The characters are those that `is_hazard` of src/render/terminal.rs names, and surrogates without their partners. The
// viewer has the same pattern.
const HAZARDS = /[\u{0}-\u{1f}\u{7f}-\u{9f}\u{61c}\u{180e}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{d800}-\u{dfff}\u{e0000}-\u{e007f}]/gu;
function shown(text) {
  return String(text).replace(HAZARDS, (c) => c === "\n" || c === "\t" ? c : "\\u{" + c.codePointAt(0).toString(16) + "}");
}
