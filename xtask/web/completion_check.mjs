// Checks of the filter's completion: what is chosen replaces the word at the caret, and nothing else.

// Tries the keys of the list, in the middle of an expression and for values.
export async function check_completion(page, tell) {
  await page.value("show_tab('events')");
  await page.until("vocabulary.names.length > 0");
  const generation = await page.value("list.generation");
  await type_at(page, "pid == 4 and provi == 3", "pid == 4 and provi".length, "d");
  tell.same("the list is open", await look(page), "combobox true ");
  await page.key("ArrowDown");
  tell.same("the first name that fits", await look(page), "combobox true provider");
  await page.key("Enter", "\r");
  tell.same("the word is replaced, and nothing else", await value(page), "pid == 4 and provider == 3");
  tell.same("the caret is behind the word", await page.value("document.getElementById('filter').selectionStart"), "pid == 4 and provider".length);
  tell.same("the list is closed", await look(page), "combobox false ");
  tell.same("a choice is no filter yet", await page.value("list.generation"), generation);

  await type_at(page, "pid == 4 and thr == 3", "pid == 4 and ".length, "");
  await page.key("ArrowUp");
  tell.same("Up on a closed list goes to its last name", await page.value(`(() => {
    const options = [...document.querySelectorAll('#filter-options [role=option]')];
    return options.length > 1 && options.at(-1).getAttribute('aria-selected') === 'true';
  })()`), true);
  await page.key("Escape");
  tell.same("Escape closes it and changes nothing", (await look(page)) + (await value(page)), "combobox false pid == 4 and thr == 3");

  await type_at(page, "n", 1, "o");
  await page.key("Tab");
  tell.same("Tab takes the first, a word of the language", await value(page), "not");
  await type_at(page, "provi in", "provi".length, "d");
  await page.key("Tab");
  tell.same("a name at the begin", await value(page), "provider in");
  await try_provider(page, tell);
  await page.value("document.getElementById('filter').value = ''");
}

// The name of a provider as a value is written so that the filter is read.
async function try_provider(page, tell) {
  const name = await page.value("vocabulary.providers.find(name => !/[\\u0000-\\u001f\\u007f-\\u009f\\u2028]/.test(name)) ?? null");
  if (name === null) return;
  await type_at(page, "header.provider == ", "header.provider == ".length, name.slice(0, 2));
  const at = await page.value(`[...document.querySelectorAll('#filter-options [role=option]')].findIndex(one => one.textContent === visible(${JSON.stringify(name)}))`);
  tell.same("the provider is offered", at >= 0, true, name);
  for (let down = 0; down <= at; down++) await page.key("ArrowDown");
  await page.key("Enter", "\r");
  const generation = await page.value("list.generation");
  await page.key("Enter", "\r");
  await page.until("list.generation > " + generation + " && document.body.dataset.scanned === 'true'", 300);
  tell.same("the filter of a provider that was chosen is read", await page.value("document.getElementById('wrong').textContent"), "");
}

// Puts text into the box and the caret into it, and types there.
async function type_at(page, text, caret, typed) {
  await page.value(`(() => {
    const box = document.getElementById('filter');
    box.focus();
    box.value = ${JSON.stringify(text)};
    box.setSelectionRange(${caret}, ${caret});
    box.click();
  })()`);
  if (typed !== "") await page.send("Input.insertText", { text: typed });
}

function value(page) {
  return page.value("document.getElementById('filter').value");
}

// The role of the box, whether its list is open, and the option that is active.
function look(page) {
  return page.value(`(() => {
    const box = document.getElementById('filter');
    const active = document.getElementById(box.getAttribute('aria-activedescendant'));
    const is_open = !document.getElementById(box.getAttribute('aria-controls')).hidden;
    if (String(is_open) !== box.getAttribute('aria-expanded')) return 'expanded is not ' + is_open;
    if (active && (active.getAttribute('role') !== 'option' || active.getAttribute('aria-selected') !== 'true')) return 'no option';
    return [box.getAttribute('role'), is_open, active?.textContent ?? ''].join(' ');
  })()`);
}
