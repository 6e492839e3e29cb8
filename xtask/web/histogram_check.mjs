// Checks of the histogram over time: it folds what the lanes fold, and a click goes to the right event across a fold.

// Up to as many events the histogram knows each time.
const EXACT = 65_536;

export async function check_histogram(page, tell) {
  await page.value("show_tab('events')");
  await page.until("list.over_time?.is_whole && document.getElementById('histogram') !== null");
  const [mine, lanes] = await Promise.all([page.value("list.over_time.data.time"), page.value("ask('lanes').then(lanes => lanes.time)")]);
  const axis = time => JSON.stringify([time.base, time.end, time.is_from_session, time.folds.length]);
  tell.same("the axis of the histogram", axis(mine), axis(lanes));
  const total = await page.value("list.total");
  if (total <= EXACT) tell.same("what the histogram folds", JSON.stringify(mine.folds), JSON.stringify(lanes.folds));
  const sum = await page.value("list.over_time.data.cells.reduce((sum, value, at) => sum + (at % 2 ? value : 0), 0)");
  tell.same("events of the histogram", sum, total);
  const box = await page.value("(({ left, top, width, height }) => ({ left, top, width, height }))(document.getElementById('histogram').getBoundingClientRect())");
  await click(page, box, 0);
  tell.same("the row of a click at the begin", await page.value("list.row"), await page.value(row_at(mine, 0)));
  const told = await page.value("document.getElementById('histogram-range').textContent");
  tell.same("the range says what is folded", told.includes("without events, folded"), mine.folds.length > 0, told);
  if (mine.folds.length > 0) await check_fold(page, mine, box, tell);
}

// The fold is found by its tip. Behind it the first event after the dead time is next, and it stays there when it is zoomed.
async function check_fold(page, time, box, tell) {
  const expected = await page.value(row_at(time, time.folds.at(-1)[1]));
  let x = Math.floor(box.width) - 2, tip = "";
  for (; x > 0; x--) {
    tip = await point(page, box, x);
    if (tip.startsWith("no events for")) break;
  }
  tell.same("the tip of the fold", tip.startsWith("no events for"), true, tip);
  x -= 2;
  await click(page, box, x);
  tell.same("the row of a click in the fold", await page.value("list.row"), expected);
  for (let turn = 0; turn < 3; turn++) await mouse(page, box, x, "mouseWheel", { deltaX: 0, deltaY: -100, modifiers: 2 });
  await page.until("!document.getElementById('histogram-range').textContent.includes('to last event')");
  await click(page, box, x);
  tell.same("the row of a click in the fold, when zoomed", await page.value("list.row"), expected);
  // Beyond the fold are later events, before it are earlier ones.
  const tips = [await point(page, box, Math.max(0, x - box.width / 3)), await point(page, box, Math.min(box.width - 1, x + box.width / 3))];
  const clock = text => /\d\d:\d\d:\d\d\.\d+/.exec(text)?.[0] ?? "";
  if (time.folds.length === 1) tell.same("times left and right of the fold are in order", clock(tips[0]) < clock(tips[1]), true, tips.join(" | "));
  await page.value("document.getElementById('histogram').focus()");
  await page.key("0", "0");
  await page.until("document.getElementById('histogram-range').textContent.includes('to last event')");
}

const row_at = ({ base }, at) => `ask("at", { units: String(BigInt("${base}") + ${at}n), from_start: false })`;

function mouse(page, box, x, type, more = {}) {
  return page.send("Input.dispatchMouseEvent", { type, x: box.left + x + 0.5, y: box.top + box.height / 2, ...more });
}

async function click(page, box, x) {
  await page.value("list.row = null");
  await mouse(page, box, x, "mousePressed", { button: "left", clickCount: 1 });
  await mouse(page, box, x, "mouseReleased", { button: "left", clickCount: 1 });
  await page.until("list.row !== null", 20);
}

async function point(page, box, x) {
  await mouse(page, box, x, "mouseMoved");
  return page.value("document.getElementById('tip').textContent");
}
