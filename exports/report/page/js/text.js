// Text of a trace as it is shown: characters that hide, reorder or control text become visible escapes.
const HAZARDS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
function shown(text) {
  return String(text).replace(HAZARDS, (c) => "\\u{" + c.charCodeAt(0).toString(16) + "}");
}
