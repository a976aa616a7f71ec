// The pages of `fdi browse`. Everything that is shown comes from data/*.js, loaded when it is first needed: each of those
// files calls treeline.deliver(name, value). The address after # is the state, so it can be shared.
'use strict';
const treeline = (() => {
  const waiting = new Map(), known = new Map();
  const KEPT = 400;  // chunks in memory

  function load(name) {
    if (known.has(name)) return known.get(name);
    const promise = new Promise((resolve, reject) => {
      waiting.set(name, resolve);
      const script = document.createElement('script');
      script.src = `data/${name}.js`;
      script.onload = () => { script.remove(); if (waiting.has(name)) reject(new Error(`data/${name}.js is not what it should be`)); };
      script.onerror = () => { script.remove(); known.delete(name); reject(new Error(`data/${name}.js is missing`)); };
      document.head.append(script);
    });
    known.set(name, promise);
    if (name.startsWith('chunk/')) {
      const chunks = [...known.keys()].filter(key => key.startsWith('chunk/'));
      if (chunks.length > KEPT) known.delete(chunks[0]);
    }
    return promise;
  }
  function deliver(name, value) {
    const resolve = waiting.get(name);
    waiting.delete(name);
    if (resolve) resolve(value);
  }

  function bytes(text) {
    const binary = atob(text), out = new Uint8Array(binary.length);
    for (let i = 0; i < out.length; ++i) out[i] = binary.charCodeAt(i);
    return out;
  }
  const floats = text => new Float32Array(bytes(text).buffer);
  const numbers = text => new Uint32Array(bytes(text).buffer);
  // Ascending numbers as differences, seven bits a byte, the last byte of each below 128.
  function ascending(text) {
    const packed = bytes(text), out = [];
    let value = 0, shift = 0, last = 0;
    for (const byte of packed) {
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) { last += value; out.push(last); value = 0; shift = 0; } else shift += 7;
    }
    return out;
  }

  // Numbers with the digits that carry meaning.
  const shown = (value, digits = 3) => value === 0 ? '0' : Math.abs(value) >= 1e6 || Math.abs(value) < 1e-4 ? value.toExponential(digits - 1) : String(Number(value.toPrecision(digits)));
  const signed = value => (value > 0 ? '+' : value < 0 ? '−' : '') + shown(Math.abs(value));
  const grouped = value => value.toLocaleString('en');
  const side = value => value >= 0 ? 'for' : 'against';

  function make(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const key in attributes) {
      if (key.startsWith('on')) made.addEventListener(key.slice(2), attributes[key]);
      else if (attributes[key] !== false && attributes[key] !== null) made.setAttribute(key, attributes[key]);
    }
    made.append(...children.filter(child => child !== null && child !== undefined));
    return made;
  }

  let meta;
  const chunkOf = id => load(`chunk/${Math.floor(id / meta.chunk)}`);
  async function fragmentOf(id) {
    const chunk = await chunkOf(id), i = id % meta.chunk;
    const fields = {id};
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

  // Fragments that have a label for which `test` is true, as a set of bits.
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

  // The state's fragments in order; `accept` is a last test that needs the fragment's text, or null.
  async function select(state) {
    let ids;
    if (state.class !== '') {
      const number = meta.classes.findIndex(one => one.name === state.class);
      ids = number < 0 ? new Uint32Array(0) : numbers((await load(`class/${number}`)).ids);
    } else {
      ids = new Uint32Array(meta.count);
      for (let i = 0; i < meta.count; ++i) ids[i] = i;
    }
    for (const name of ['size', 'depth', 'count']) {
      const range = /^\s*(\d*)\s*(-?)\s*(\d*)\s*$/.exec(state[name]);
      if (!state[name] || !range) continue;
      const least = Number(range[1] || 0), most = range[2] ? Number(range[3] || Infinity) : name === 'count' ? Infinity : least;
      const values = await column(name);
      ids = ids.filter(id => values[id] >= least && values[id] <= most);
    }
    if (state.label) {
      const found = await withLabel(trees.labelTest(state.label), null);
      ids = ids.filter(id => found[id]);
    }
    let accept = null;
    if (state.q) {
      const pattern = trees.compile(state.q);
      if (!pattern) throw new Error('The pattern is no fragment: brackets must close, and every node has a label, as in (NP (DT the) *)');
      const tests = trees.nodes(pattern).filter(node => !node.any && !/^\*+$/.test(node.label));
      for (const node of tests) {
        const found = await withLabel(node.test, node.leaf);
        ids = ids.filter(id => found[id]);
        if (!ids.length) break;
      }
      accept = text => { const fragment = trees.parse(text); return fragment !== null && trees.matches(pattern, fragment); };
    }
    if (state.sort && state.sort !== 'rank') {
      const descending = state.dir !== 'up';
      const classNumber = meta.classes.findIndex(one => one.name === state.class);
      if (state.sort === 'weight' && classNumber >= 0) {
        const data = await load(`class/${classNumber}`), all = new Float32Array(meta.count), values = floats(data.weights);
        numbers(data.ids).forEach((id, i) => { all[id] = values[i]; });
        ids = sortBy(ids, all, descending);
      } else {
        ids = sortBy(ids, await column(state.sort), descending);
      }
    }
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
      const chunks = [...new Set(Array.from(batch, id => Math.floor(id / meta.chunk)))].slice(0, 16);
      const loaded = new Map(await Promise.all(chunks.map(async number => [number, await load(`chunk/${number}`)])));
      for (const id of batch) {
        const chunk = loaded.get(Math.floor(id / meta.chunk));
        if (!chunk) break;
        if (selection.accept(chunk.text[id % meta.chunk])) selection.found.push(id);
        ++selection.checked;
      }
    }
  }

  const FIELDS = {q: '', label: '', class: '', size: '', depth: '', count: '', sort: 'rank', dir: 'down', page: '0'};
  const ROWS = 50;
  function address(state) {
    const parts = new URLSearchParams();
    for (const key in FIELDS) if (state[key] !== FIELDS[key]) parts.set(key, state[key]);
    return `#/?${parts}`;
  }
  let selection = null, selectionKey = '', turn = 0;

  function filterForm(state) {
    const field = (key, title, attributes) => make('label', {class: attributes.wide ? 'wide' : false}, title,
      make('input', {name: key, value: state[key], class: attributes.wide ? false : 'narrow', placeholder: attributes.hint || '', spellcheck: 'false', autocomplete: 'off', id: `field-${key}`}));
    const choice = (key, title, options) => {
      const list = make('select', {name: key, id: `field-${key}`}, ...options.map(([value, text]) => make('option', {value, selected: value === state[key] ? '' : false}, text)));
      list.addEventListener('change', () => form.requestSubmit());
      return make('label', {}, title, list);
    };
    const sorts = [['rank', 'rank'], ['weight', 'mined weight'], ...(meta.trained ? [['trained', 'trained weight']] : []), ['size', 'size'], ['depth', 'depth'], ['count', 'count']];
    const form = make('form', {role: 'search'},
      field('q', 'pattern, as fdi find takes it', {wide: true, hint: '(NP (DT the) *)'}),
      field('label', 'has the label', {hint: 'NN*'}),
      choice('class', 'class', [['', 'any'], ...meta.classes.map(one => [one.name, one.name])]),
      field('size', 'size', {hint: '1-3'}), field('depth', 'depth', {hint: '2-'}), field('count', 'count from', {hint: '10'}),
      choice('sort', 'order by', sorts), choice('dir', 'order', [['down', 'largest first'], ['up', 'smallest first']]),
      make('button', {}, 'Show'));
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
      status.dataset.milliseconds = Math.round(performance.now() - started);
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
    const table = make('table', {}, make('thead', {}, make('tr', {}, ...heads.map(head => make('th', {class: numeric.has(head) ? 'number' : false}, head)))));
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
        : make('td', {class: numeric.has(head) ? `number ${head === 'weight' ? side(weight) : ''}` : 'name', title: head === 'class' ? String(cells[head]) : false}, String(cells[head])))));
    }
    table.append(body);
    return table;
  }

  // ---- one fragment

  function drawing(text, marked) {
    const box = make('div', {class: 'drawing'});
    try {
      const root = typeof text === 'string' ? trees.parse(text) : text;
      box.append(root ? trees.draw(root, marked) : make('code', {}, text));
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
      make('div', {class: 'track'}, make('div', {class: `bar ${side(row.value)}`, style: `left:${Math.min(50, percent(row.value))}%;width:${Math.abs(percent(row.value) - 50)}%`}),
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
    for (const text of example.trees) {
      const root = trees.parse(text, true);
      if (!root || !wanted) continue;
      const covered = trees.occurrences(wanted, root, meta.partial);
      const sentence = make('p', {class: 'sentence'});
      for (const word of trees.words(root)) sentence.append(covered.has(word) || covers(covered, root, word) ? make('mark', {}, word.label) : word.label, ' ');
      parts.push(sentence, drawing(root, new Map([...covered].map(node => [node, marking]))));
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
    const trained = fragment.trained.map(([number, value]) => ({name: className(number), value, dots: []})).sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const facts = [['rank', grouped(id)], ['mined weight', `${signed(fragment.weight)} for ${className(fragment.class)}`], ['size', `${fragment.size} expanded nodes`], ['depth', fragment.depth], ['count', `${grouped(fragment.count)} nodes of the models' trees`]];
    const sections = [
      make('h2', {}, `Fragment ${grouped(id)}`), make('p', {}, make('code', {}, fragment.text)),
      make('div', {class: 'columns'}, drawing(fragment.text),
        make('div', {}, make('dl', {}, ...facts.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, String(value))]))),
        make('div', {}, make('h2', {}, 'Mined weight by class'), bars(perClass), make('p', {class: 'quiet'}, perClass.some(row => row.dots.length) ? 'Bars are means over the splits of a class, dots its splits.' : '')),
        trained.length ? make('div', {}, make('h2', {}, 'Trained weight by class'), bars(trained)) : null),
      await neighbours('Smaller: one expansion less', fragment.smaller), await neighbours('Larger: one expansion more', fragment.larger)];
    for (const [ids, title, marking] of [[fragment.pro, `Examples of ${className(fragment.class)}`, 'for'], [fragment.contra, 'Examples of other classes', 'against']]) {
      if (ids && ids.length) sections.push(make('section', {}, make('h2', {}, title), make('div', {class: 'cards'}, ...await Promise.all(ids.map(example => exampleBox(fragment, example, marking))))));
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
      return make('a', {class: 'card', href: `#/f/${id}`}, make('div', {class: side(weight)}, signed(weight)), drawing(fragment.text));
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
  return {deliver};
})();
