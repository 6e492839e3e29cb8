// Elements. Texts are set as text, never as markup.
function el(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children) node.append(child instanceof Node ? child : shown(child));
  return node;
}
function clear(node) {
  while (node.firstChild) node.removeChild(node.firstChild);
}
function part(id, title, count) {
  const section = el("section", { id, tabindex: "-1", "aria-labelledby": id + "-h" });
  document.getElementById("main").append(section);
  const link = el("a", { href: "#" + id }, title);
  if (count !== undefined) link.append(el("span", {}, whole(count)));
  document.getElementById("nav").append(link);
  return section;
}
