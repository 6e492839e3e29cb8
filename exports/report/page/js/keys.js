// Keys of lanes: arrows move, + and - zoom, 0 shows all.
const KEYS = { ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), "+": () => zoom(0.6), "=": () => zoom(0.6), "-": () => zoom(1.7), "0": () => view(0, 1), Home: () => pan(-1e9), End: () => pan(1e9) };
function keyed(box) {
  box.addEventListener("keydown", (event) => {
    if (!KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    KEYS[event.key]();
  });
}
