// A name in two parts: where there is no room, the first is cut, as the last part of a name tells it from similar ones.
function halves(name) {
  const number = name.endsWith(")") ? name.lastIndexOf(" (") : -1;
  const long = name.length > 24 ? name.length - 24 : 0;
  const sign = number > 0 ? number : Math.max(name.lastIndexOf("/"), name.lastIndexOf("-"), name.lastIndexOf("."), long);
  // A sign at the end distinguishes nothing.
  const at = name.length - sign > 2 ? sign : long;
  return at > 0 && name.length > 12 ? [name.slice(0, at), name.slice(at)] : [name, ""];
}
