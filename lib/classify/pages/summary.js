// All explanations of a test set: a table to filter, its rows lead to the pages that have them.
(() => {
  const ROWS = 50, SENTENCES = 500;
  const status = document.querySelector('[role=status]'), list = document.querySelector('#list'), pager = document.querySelector('.pager'), form = document.querySelector('#filters');
  let examples = [], chosen = [], page = 0, turn = 0;

  async function fill() {
    const own = ++turn, shown = chosen.slice(page * ROWS, (page + 1) * ROWS);
    const files = new Map(await Promise.all([...new Set(shown.map(one => Math.floor(one.number / SENTENCES)))].map(async file => [file, await site.load(`sentences/${file}`)])));
    if (own !== turn) return;
    const {make} = site;
    const rows = shown.map(one => make('tr', {'data-id': one.id}, make('td', {class: 'number'}, make('a', {href: one.address}, site.grouped(one.id))),
      make('td', {class: `name ${one.wrong ? 'against' : ''}`, title: one.predicted}, one.predicted), make('td', {class: 'name', title: one.gold}, one.gold), make('td', {class: 'number'}, site.shown(one.margin)),
      make('td', {}, files.get(Math.floor(one.number / SENTENCES))[one.number % SENTENCES])));
    list.replaceChildren(make('table', {}, make('thead', {}, make('tr', {}, ...['example', 'predicted', 'gold', 'margin', 'words'].map(head => make('th', {class: head === 'margin' || head === 'example' ? 'number' : false}, head)))), make('tbody', {}, ...rows)));
    const wrong = chosen.filter(one => one.wrong).length;
    status.textContent = `${site.grouped(chosen.length)} of ${site.grouped(examples.length)} examples, ${site.grouped(wrong)} wrong`;
    const link = (to, text, enabled) => make('button', {type: 'button', disabled: enabled ? false : '', onclick: () => { page = to; fill(); }}, text);
    pager.replaceChildren(link(page - 1, 'Previous', page > 0), make('span', {class: 'quiet'}, chosen.length ? `${site.grouped(page * ROWS + 1)} to ${site.grouped(Math.min(chosen.length, (page + 1) * ROWS))}` : 'nothing found'), link(page + 1, 'Next', chosen.length > (page + 1) * ROWS));
    document.body.dataset.ready = location.hash || '#';
  }
  function show(state) {
    const key = site.exampleOrder[state.order];
    chosen = examples.filter(site.exampleTest(state));
    if (key) chosen.sort((a, b) => key(a) - key(b));
    page = 0;
    fill();
    if (state.gold && state.predicted && !form.contains(document.activeElement)) document.querySelector('#examples').scrollIntoView();
  }
  addEventListener('keydown', event => {
    if (event.target.matches('input, select') || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = [...list.querySelectorAll('tbody tr')], at = rows.findIndex(row => row.classList.contains('chosen'));
    const choose = to => { rows.forEach((row, i) => row.classList.toggle('chosen', i === to)); if (rows[to]) rows[to].scrollIntoView({block: 'nearest'}); };
    if (event.key === 'j') choose(Math.min(rows.length - 1, at + 1));
    else if (event.key === 'k') choose(Math.max(0, at - 1));
    else if (event.key === 'Enter' && at >= 0 && event.target === document.body) rows[at].querySelector('a').click();
    else if (event.key === 'e' && form.elements.errors) form.elements.errors.click();
  });
  async function start() {
    const data = await site.load('list');
    const [ids, golds, predictions, margins, pages] = [site.numbers(data.ids), site.numbers(data.gold), site.numbers(data.predicted), site.floats(data.margin), site.numbers(data.page)];
    examples = Array.from(ids, (id, number) => ({number, id, gold: data.classes[golds[number]] || '', predicted: data.classes[predictions[number]], margin: margins[number],
      wrong: golds[number] < data.classes.length && golds[number] !== predictions[number], address: `page-${pages[number]}.html#e${id}`}));
    const seen = key => data.classes.filter((label, number) => (key === 'gold' ? golds : predictions).includes(number));
    site.exampleFilters(form, seen('gold'), seen('predicted'), show);
  }
  start().catch(error => { status.textContent = error.message; status.className = 'against'; });
})();
