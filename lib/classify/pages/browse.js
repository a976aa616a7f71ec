// The pages of `fdi browse`. Everything that is shown comes from data/*.js, loaded when it is first needed. The address after # is the state, so it
// can be shared.
(() => {
  const {load, floats, numbers, ascending, signed, grouped, side, make} = site;

  let meta;
  const chunkOf = id => load(`chunk/${Math.floor(id / meta.chunk)}`);
  const textOf = async id => (await textFile(Math.floor(id / meta.texts)))[id % meta.texts];
  const textFiles = new Map();
  async function textFile(number) {
    if (!textFiles.has(number)) textFiles.set(number, load(`text/${number}`).then(text => text.split('\n')));
    return textFiles.get(number);
  }
  async function fragmentOf(id) {
    const [chunk, text] = await Promise.all([chunkOf(id), textOf(id)]), i = id % meta.chunk;
    const fields = {id, text};
    for (const key in chunk) fields[key] = chunk[key][i];
    return fields;
  }
  const className = index => index < meta.classes.length ? meta.classes[index].name : '';

  // ---- the table: which fragments, in which order

  async function column(name) {
    const value = await load(`column/${name}`);
    return name === 'weight' || name === 'trained' ? floats(value) : numbers(value);
  }
  // Stable order of `ids` by `keys` (one a fragment), by two passes over 16 bits each.
  function sortBy(ids, keys, descending) {
    const bits = keys instanceof Float32Array ? new Uint32Array(keys.buffer) : keys;
    const key = keys instanceof Float32Array
      ? id => { const b = bits[id]; return (b & 0x80000000 ? ~b : b | 0x80000000) >>> 0; }
      : id => bits[id];
    let from = Uint32Array.from(ids), to = new Uint32Array(from.length);
    for (const shift of [0, 16]) {
      const starts = new Uint32Array(65537);
      const digit = id => { const d = (key(id) >>> shift) & 65535; return descending ? 65535 - d : d; };
      for (const id of from) ++starts[digit(id) + 1];
      for (let d = 0; d < 65536; ++d) starts[d + 1] += starts[d];
      for (const id of from) to[starts[digit(id)]++] = id;
      [from, to] = [to, from];
    }
    return from;
  }

  // Fragments that have a label for which `test` is true, as a set of bits; null where no fragment has.
  async function withLabel(test, leaf) {
    const labels = await load('labels');
    const found = new Uint8Array(meta.count);
    const wanted = [];
    labels.texts.forEach((text, number) => { if ((leaf === null || labels.leaf[number] === (leaf ? 1 : 0)) && test(text)) wanted.push(number); });
    const files = new Set(wanted.map(number => labels.file[number]));
    const lists = Object.assign({}, ...await Promise.all([...files].map(file => load(`postings/${file}`))));
    for (const number of wanted) for (const id of ascending(lists[number])) found[id] = 1;
    return found;
  }

  // Tokens of productions and edges, as `fdi browse` has written them.
  const isPlain = node => !node.label.includes('*');
  const child = node => '\t' + (node.leaf ? 'w' : 'n') + node.label;
  function tokenFile(token) {
    let hash = 2166136261;
    for (const byte of new TextEncoder().encode(token)) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
    return hash % meta.indexFiles;
  }
  async function withToken(token) {
    const list = (await load(`index/${tokenFile(token)}`))[token];
    return list === undefined ? new Uint32Array(0) : ascending(list);
  }
  // What every fragment that a pattern fits has: tokens, and tests of labels that no token speaks of. `enough`: nothing else needs to be looked at.
  function needs(pattern) {
    const tokens = new Set(), tests = [], told = new Set();
    const all = trees.nodes(pattern);
    for (const node of all) {
      if (!isPlain(node) || !node.children.length) continue;
      if (node.children.every(isPlain)) tokens.add('P' + node.label + node.children.map(child).join(''));
      else for (const part of node.children) if (isPlain(part)) tokens.add('E' + node.label + child(part));
      if (node.children.some(isPlain)) told.add(node);
      for (const part of node.children) if (isPlain(part)) told.add(part);
    }
    for (const node of all) if (!told.has(node) && !/^\*+$/.test(node.label)) tests.push(node);
    const enough = all.length === 1 ? !/^\*+$/.test(pattern.label) : isPlain(pattern) && pattern.children.every(part => isPlain(part) && !part.children.length);
    return {tokens, tests, enough};
  }
  function among(lists) {
    lists.sort((a, b) => a.length - b.length);
    let ids = lists[0];
    for (const list of lists.slice(1)) {
      const bits = new Uint8Array(meta.count);
      for (const id of list) bits[id] = 1;
      ids = ids.filter(id => bits[id]);
    }
    return ids;
  }

  // A test of a number: at least 0.1 by amount (0.1), at least 0.1 (+0.1), at most -0.1 (-0.1).
  function weightTest(text) {
    const number = Number(text.replace('−', '-'));
    if (!text || Number.isNaN(number)) return null;
    return number < 0 ? value => value <= number : text.startsWith('+') ? value => value >= number : value => Math.abs(value) >= number;
  }
  async function weightsFor(classNumber) {
    if (classNumber < 0) return column('weight');
    const data = await load(`class/${classNumber}`), all = new Float32Array(meta.count), values = floats(data.weights);
    numbers(data.ids).forEach((id, i) => { all[id] = values[i]; });
    return all;
  }

  // The state's fragments in order; `accept` is a last test that needs the fragment's text, or null.
  async function select(state) {
    const classNumber = meta.classes.findIndex(one => one.name === state.class);
    let ids;
    if (state.class !== '') {
      ids = classNumber < 0 ? new Uint32Array(0) : numbers((await load(`class/${classNumber}`)).ids);
    } else {
      ids = new Uint32Array(meta.count);
      for (let i = 0; i < meta.count; ++i) ids[i] = i;
    }
    let accept = null;
    if (state.q) {
      const pattern = trees.compile(state.q);
      if (!pattern) throw new Error('The pattern is no fragment: brackets must close, and every node has a label, as in (NP (DT the) *)');
      const {tokens, tests, enough} = needs(pattern);
      if (tokens.size) {
        const found = among(await Promise.all([...tokens].map(withToken)));
        if (state.class === '') ids = found;
        else { const bits = new Uint8Array(meta.count); for (const id of found) bits[id] = 1; ids = ids.filter(id => bits[id]); }
      }
      for (const node of tests) {
        const found = await withLabel(node.test, node.leaf);
        ids = ids.filter(id => found[id]);
      }
      if (!enough) accept = text => { const fragment = trees.parse(text); return fragment !== null && trees.matches(pattern, fragment); };
    }
    for (const name of ['size', 'depth', 'count']) {
      const range = /^\s*(\d*)\s*(-?)\s*(\d*)\s*$/.exec(state[name]);
      if (!state[name] || !range) continue;
      const least = Number(range[1] || 0), most = range[2] ? Number(range[3] || Infinity) : name === 'count' ? Infinity : least;
      const values = await column(name);
      ids = ids.filter(id => values[id] >= least && values[id] <= most);
    }
    for (const [name, values] of [['weight', () => weightsFor(classNumber)], ['trained', () => column('trained')]]) {
      const test = weightTest(state[name]);
      if (!test || (name === 'trained' && !meta.trained)) continue;
      const all = await values();
      ids = ids.filter(id => test(all[id]));
    }
    if (state.label) {
      const found = await withLabel(trees.labelTest(state.label), null);
      ids = ids.filter(id => found[id]);
    }
    if (state.sort && state.sort !== 'rank') ids = sortBy(ids, state.sort === 'weight' ? await weightsFor(classNumber) : await column(state.sort), state.dir !== 'up');
    return {ids, accept, checked: 0, found: []};
  }

  // Extends what is known of a selection until it has `wanted` fragments, or the time is up.
  async function extend(selection, wanted, deadline) {
    if (!selection.accept) {
      selection.found = selection.ids;
      selection.checked = selection.ids.length;
      return;
    }
    while (selection.checked < selection.ids.length && selection.found.length < wanted && performance.now() < deadline) {
      const batch = selection.ids.slice(selection.checked, selection.checked + 2000);
      const files = [...new Set(Array.from(batch, id => Math.floor(id / meta.texts)))].slice(0, 32);
      const loaded = new Map(await Promise.all(files.map(async number => [number, await textFile(number)])));
      for (const id of batch) {
        const texts = loaded.get(Math.floor(id / meta.texts));
        if (!texts) break;
        if (selection.accept(texts[id % meta.texts])) selection.found.push(id);
        ++selection.checked;
      }
    }
  }

  const FIELDS = {q: '', label: '', class: '', weight: '', trained: '', size: '', depth: '', count: '', sort: 'rank', dir: 'down', page: '0'};
  const ROWS = 50;
  function address(state) {
    const parts = new URLSearchParams();
    for (const key in FIELDS) if (state[key] !== FIELDS[key]) parts.set(key, state[key]);
    return `#/?${parts}`;
  }
  let selection = null, selectionKey = '', turn = 0;

  function filterForm(state) {
    const {field, choice} = site;
    const sorts = [['rank', 'rank'], ['weight', 'mined weight'], ...(meta.trained ? [['trained', 'trained weight']] : []), ['size', 'size'], ['depth', 'depth'], ['count', 'count']];
    const form = make('form', {role: 'search'},
      field('q', 'pattern, as fdi find takes it', '(NP (DT the) *)', 'wide'), field('label', 'has the label', 'NN*'),
      choice('class', 'class', [['', 'any'], ...meta.classes.map(one => [one.name, one.name])]),
      field('weight', 'mined weight', '0.1, −0.1'), meta.trained ? field('trained', 'trained weight', '0.1, −0.1') : null,
      field('size', 'size', '1-3'), field('depth', 'depth', '2-'), field('count', 'count from', '10'),
      choice('sort', 'order by', sorts), choice('dir', 'order', [['down', 'largest first'], ['up', 'smallest first']]),
      make('button', {}, 'Show'));
    for (const input of form.elements) if (input.name) input.value = state[input.name];
    for (const list of form.querySelectorAll('select')) list.addEventListener('change', () => form.requestSubmit());
    form.addEventListener('submit', event => {
      event.preventDefault();
      const next = {...FIELDS};
      for (const [key, value] of new FormData(form)) next[key] = value.trim();
      location.hash = address(next);
    });
    return form;
  }

  async function showTable(main, state) {
    const own = ++turn;
    const status = make('p', {role: 'status', class: 'quiet'}, 'Looking …');
    const body = make('div', {class: 'scroll'});
    const pager = make('div', {class: 'pager'});
    main.replaceChildren(filterForm(state), status, body, pager);
    const started = performance.now();
    const key = address({...state, page: '0'});
    if (key !== selectionKey) { selection = await select(state); selectionKey = key; }
    const page = Math.max(0, Number(state.page) || 0);
    const fill = async () => {
      const rows = await Promise.all(Array.from(selection.found.slice(page * ROWS, (page + 1) * ROWS), fragmentOf));
      if (own !== turn) return;
      body.replaceChildren(fragmentTable(rows, state.class));
      const whole = selection.checked === selection.ids.length;
      const count = selection.found.length;
      status.textContent = `${whole ? '' : 'at least '}${grouped(count)} of ${grouped(meta.count)} fragments`;
      status.dataset.milliseconds ||= Math.round(performance.now() - started);  // until the first rows are there
      const link = (to, text, enabled) => make('button', {disabled: enabled ? false : '', onclick: () => { location.hash = address({...state, page: String(to)}); }}, text);
      pager.replaceChildren(link(page - 1, 'Previous', page > 0), make('span', {class: 'quiet'}, count ? `${grouped(page * ROWS + 1)} to ${grouped(Math.min(count, (page + 1) * ROWS))}` : 'nothing found'), link(page + 1, 'Next', count > (page + 1) * ROWS));
    };
    await extend(selection, (page + 1) * ROWS + 1, performance.now() + 600);
    await fill();
    while (own === turn && selection.checked < selection.ids.length) {
      await extend(selection, Infinity, performance.now() + 200);
      await new Promise(done => setTimeout(done, 0));
      await fill();
    }
  }

  function weightsOf(fragment) {
    const sums = new Map();
    for (const [model, relevance] of fragment.models) {
      const number = meta.models[model].class;
      if (!sums.has(number)) sums.set(number, []);
      sums.get(number).push(relevance);
    }
    return sums;
  }
  const mean = (values, splits) => values.reduce((sum, value) => sum + value, 0) / splits;

  function fragmentTable(rows, wanted) {
    const heads = ['rank', 'weight', 'class', ...(meta.trained ? ['trained'] : []), 'size', 'depth', 'count', 'fragment'];
    const numeric = new Set(['rank', 'weight', 'trained', 'size', 'depth', 'count']);
    const table = make('table', {class: 'fragments'}, make('thead', {}, make('tr', {}, ...heads.map(head => make('th', {class: numeric.has(head) ? 'number' : false}, head)))));
    const body = make('tbody');
    for (const row of rows) {
      let weight = row.weight, owner = row.class;
      const number = meta.classes.findIndex(one => one.name === wanted);
      if (wanted !== '' && number >= 0) { owner = number; weight = mean(weightsOf(row).get(number) || [0], meta.classes[number].splits); }
      const cells = {rank: grouped(row.id), weight: signed(weight), class: className(owner), size: row.size, depth: row.depth, count: grouped(row.count)};
      if (meta.trained) {
        const trained = row.trained.find(([column]) => column === owner) || row.trained.reduce((best, one) => Math.abs(one[1]) > Math.abs(best[1]) ? one : best, [0, 0]);
        cells.trained = signed(trained[1]);
      }
      body.append(make('tr', {'data-id': row.id}, ...heads.map(head => head === 'fragment'
        ? make('td', {}, make('a', {href: `#/f/${row.id}`}, make('code', {}, row.text)))
        : make('td', {'data-head': head, class: numeric.has(head) ? `number ${head === 'weight' ? side(weight) : ''}` : 'name', title: head === 'class' ? String(cells[head]) : false}, String(cells[head])))));
    }
    table.append(body);
    return table;
  }

  // ---- one fragment

  function drawing(text, places, marked) {
    const box = make('div', {class: 'drawing'});
    try {
      const root = typeof text === 'string' ? trees.parse(text) : text;
      box.append(root ? trees.draw(root, places, marked) : make('code', {}, text));
    } catch (error) {
      box.append(make('p', {class: 'quiet'}, 'Too deep to be drawn.'));
    }
    return box;
  }

  function bars(rows) {
    const largest = Math.max(...rows.flatMap(row => [Math.abs(row.value), ...row.dots.map(Math.abs)]), 1e-300);
    const percent = value => 50 + 48 * value / largest;
    return make('div', {class: 'bars'}, ...rows.flatMap(row => [
      make('a', {class: 'name', href: `#/c/${encodeURIComponent(row.name)}`, title: row.name}, row.name),
      make('div', {class: 'track'}, make('i', {class: side(row.value), style: `left:${Math.min(50, percent(row.value))}%;width:${Math.abs(percent(row.value) - 50)}%`}),
        ...row.dots.map(dot => make('div', {class: 'dot', style: `left:${percent(dot)}%`, title: signed(dot)}))),
      make('span', {class: 'number'}, signed(row.value))]));
  }

  async function neighbours(title, ids) {
    if (!ids.length) return null;
    const rows = await Promise.all(ids.map(fragmentOf));
    return make('section', {}, make('h2', {}, title), make('div', {class: 'scroll'}, fragmentTable(rows, '')));
  }

  async function exampleBox(fragment, id, marking) {
    const example = (await load(`examples/${Math.floor(id / meta.exampleChunk)}`))[id % meta.exampleChunk];
    const parts = [make('p', {}, make('strong', {}, example.label), make('span', {class: 'quiet'}, ` · example ${grouped(example.number)}`))];
    const wanted = trees.parse(fragment.text);
    for (const [text, places, words] of example.trees) {
      const root = trees.parse(text, true);
      if (!root || !wanted) continue;
      const covered = trees.occurrences(wanted, root, meta.partial);
      const sentence = make('p', {class: 'sentence'});
      trees.words(root).forEach((word, i) => {
        const spelled = words[i].trimStart();
        sentence.append(words[i].slice(0, words[i].length - spelled.length), covered.has(word) || covers(covered, root, word) ? make('mark', {}, spelled) : spelled);
      });
      parts.push(sentence, drawing(root, places, new Map([...covered].map(node => [node, marking]))));
    }
    return make('div', {class: 'card'}, ...parts);
  }
  // Words below an open node of an occurrence belong to it.
  function covers(covered, root, word) {
    const way = [];
    const find = node => {
      way.push(node);
      if (node === word || node.children.some(find)) return true;
      way.pop();
      return false;
    };
    find(root);
    const last = way.reduce((found, node, i) => covered.has(node) ? i : found, -1);
    return last >= 0 && !way[last].children.some(child => covered.has(child));
  }

  async function showFragment(main, id) {
    const own = ++turn;
    if (!(id >= 0 && id < meta.count)) throw new Error(`There is no fragment ${id}; they are numbered from 0 to ${meta.count - 1}`);
    const fragment = await fragmentOf(id);
    const perClass = [...weightsOf(fragment)].map(([number, values]) => ({name: className(number), value: mean(values, meta.classes[number].splits), dots: values.length > 1 ? values : []}));
    perClass.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const trained = (fragment.trained || []).map(([number, value]) => ({name: className(number), value, dots: []})).sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const facts = [['rank', grouped(id)], ['mined weight', `${signed(fragment.weight)} for ${className(fragment.class)}`], ['size', `${grouped(fragment.size)} ${fragment.size === 1 ? 'production' : 'productions'}`], ['depth', fragment.depth], ['count', `${grouped(fragment.count)} nodes of the models’ trees`]];
    const sections = [
      make('h2', {}, `Fragment ${grouped(id)}`), make('p', {}, make('code', {}, fragment.text)),
      make('div', {class: 'columns'},
        make('div', {}, drawing(fragment.text, fragment.places), make('dl', {}, ...facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, String(value))]))),
        make('div', {}, make('h3', {}, 'Mined weight by class'), bars(perClass), perClass.some(row => row.dots.length) ? make('p', {class: 'note'}, 'Bars are means over the splits of a class, dots its splits.') : null),
        trained.length ? make('div', {}, make('h3', {}, 'Trained weight by class'), bars(trained)) : null),
      await neighbours('Smaller by one step', fragment.smaller), await neighbours('Larger by one step', fragment.larger)];
    for (const [ids, title, marking] of [[fragment.pro, `Examples of ${className(fragment.class)}`, 'for'], [fragment.contra, 'Examples of other classes', 'against']]) {
      if (ids && ids.length) sections.push(make('section', {}, make('h2', {}, title), make('div', {class: 'cards wider'}, ...await Promise.all(ids.map(example => exampleBox(fragment, example, marking))))));
    }
    if (own === turn) main.replaceChildren(...sections.filter(Boolean));
  }

  // ---- one class

  async function showClass(main, name) {
    const own = ++turn;
    const number = meta.classes.findIndex(one => one.name === name);
    if (number < 0) throw new Error(`There is no class ${name}`);
    const data = await load(`class/${number}`), ids = numbers(data.ids), weights = floats(data.weights);
    const strongest = sign => { const list = []; for (let i = 0; i < ids.length && list.length < 12; ++i) if (weights[i] * sign > 0) list.push([ids[i], weights[i]]); return list; };
    const cards = async list => make('div', {class: 'cards'}, ...await Promise.all(list.map(async ([id, weight]) => {
      const fragment = await fragmentOf(id);
      return make('a', {class: 'card', href: `#/f/${id}`}, make('div', {class: side(weight)}, signed(weight)), drawing(fragment.text, fragment.places));
    })));
    const parts = [make('h2', {}, name), make('p', {}, make('a', {href: address({...FIELDS, class: name})}, `All ${grouped(ids.length)} fragments of this class`)),
      make('h2', {class: 'for'}, 'Strongest for'), await cards(strongest(1)), make('h2', {class: 'against'}, 'Strongest against'), await cards(strongest(-1))];
    if (own === turn) main.replaceChildren(...parts);
  }

  // ---- the frame

  async function route() {
    const main = document.querySelector('main');
    const [path, query = ''] = location.hash.slice(1).split('?');
    const [, kind, name] = path.split('/');
    for (const link of document.querySelectorAll('nav a')) link.toggleAttribute('aria-current', link.getAttribute('href') === location.hash || (link.getAttribute('href') === '#/' && kind !== 'c' && kind !== 'f'));
    try {
      if (kind === 'f') await showFragment(main, Number(name));
      else if (kind === 'c') await showClass(main, decodeURIComponent(name));
      else await showTable(main, {...FIELDS, ...Object.fromEntries(new URLSearchParams(query))});
    } catch (error) {
      const status = main.querySelector('[role=status]');
      if (status) { status.textContent = error.message; status.className = 'against'; } else main.replaceChildren(make('p', {role: 'status', class: 'against'}, error.message));
    }
    for (const svg of main.querySelectorAll('svg.tree')) trees.box(svg);
    for (const svg of main.querySelectorAll('.drawing > svg')) svg.parentElement.scrollLeft = Number(svg.dataset.root) * svg.clientWidth - svg.parentElement.clientWidth / 2;
    document.body.dataset.ready = location.hash || '#/';
  }

  function keys(event) {
    if (event.target.matches('input, select, textarea')) { if (event.key === 'Escape') event.target.blur(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = [...document.querySelectorAll('tbody tr')], at = rows.findIndex(row => row.classList.contains('chosen'));
    const choose = to => { rows.forEach((row, i) => row.classList.toggle('chosen', i === to)); if (rows[to]) rows[to].scrollIntoView({block: 'nearest'}); };
    if (event.key === '/') { const field = document.querySelector('#field-q'); if (field) { field.focus(); event.preventDefault(); } }
    else if (event.key === 'j') choose(Math.min(rows.length - 1, at + 1));
    else if (event.key === 'k') choose(Math.max(0, at - 1));
    else if (event.key === 'Enter' && at >= 0 && event.target === document.body) location.hash = `#/f/${rows[at].dataset.id}`;
    else if (event.key === 'Escape') history.back();
  }

  async function start() {
    meta = await load('meta');
    document.title = `${meta.title}: fragments`;
    document.querySelector('h1 a').textContent = meta.title;
    document.querySelector('#about').textContent = `${grouped(meta.count)} fragments · ${meta.kernel}`;
    document.querySelector('nav').append(make('a', {href: '#/'}, 'All fragments'), ...meta.classes.slice(0, 60).map(one => make('a', {href: `#/c/${encodeURIComponent(one.name)}`}, one.name)));
    addEventListener('hashchange', route);
    addEventListener('keydown', keys);
    await route();
  }

  addEventListener('DOMContentLoaded', () => start().catch(error => { document.querySelector('main').textContent = error.message; }));
})();
