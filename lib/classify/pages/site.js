// What all pages share: data loaded from disk, numbers, elements, filters of examples. A page that was not fetched from a server may load
// scripts but not read files, so data/NAME.js are scripts that call site.deliver(NAME, value).
'use strict';
const site = (() => {
  const waiting = new Map(), known = new Map();
  const KEPT = 400;  // files of one kind in memory

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
    if (name.includes('/')) {
      const kind = name.slice(0, name.indexOf('/') + 1), same = [...known.keys()].filter(key => key.startsWith(kind));
      if (same.length > KEPT) known.delete(same[0]);
    }
    return promise;
  }
  function deliver(name, value) {
    const resolve = waiting.get(name);
    waiting.delete(name);
    if (resolve) resolve(value);
  }

  function bytes(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const binary = atob(text), out = new Uint8Array(binary.length);
    for (let i = 0; i < out.length; ++i) out[i] = binary.charCodeAt(i);
    return out;
  }
  const floats = text => new Float32Array(bytes(text).buffer);
  const numbers = text => new Uint32Array(bytes(text).buffer);
  // Ascending numbers as differences, seven bits a byte, the last byte of each below 128.
  function ascending(text) {
    const packed = bytes(text);
    let count = 0;
    for (let i = 0; i < packed.length; ++i) count += packed[i] < 128 ? 1 : 0;
    const out = new Uint32Array(count);
    for (let i = 0, at = 0, value = 0, shift = 0, last = 0; i < packed.length; ++i) {
      value += (packed[i] & 127) * 2 ** shift;
      if (packed[i] < 128) { last += value; out[at++] = last; value = 0; shift = 0; } else shift += 7;
    }
    return out;
  }

  // Numbers with the digits that carry meaning.
  function shown(value) {
    const size = Math.abs(value), sign = value < 0 ? '−' : '';
    if (size === 0) return '0';
    if (size >= 1e6 || size < 1e-4) return sign + String(Number(size.toPrecision(3)).toExponential());
    return sign + size.toFixed(Math.max(0, 2 - Math.floor(Math.log10(size))));
  }
  const signed = value => (value > 0 ? '+' : '') + shown(value);
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
  const choice = (name, title, options) => make('label', {}, title, make('select', {name, id: `field-${name}`}, ...options.map(([value, text]) => make('option', {value}, text))));
  const field = (name, title, hint, kind = 'narrow') => make('label', {class: kind === 'wide' ? 'wide' : false}, title,
    make('input', {name, id: `field-${name}`, class: kind === 'wide' ? false : kind, placeholder: hint, autocomplete: 'off', spellcheck: 'false'}));

  // ---- filters of examples: the address has the state, `change` is called whenever it is another

  function exampleFilters(form, golds, predictions, change) {
    const classes = labels => [['', 'any'], ...labels.map(label => [label, label])];
    if (golds.length) form.append(make('label', {class: 'check'}, make('input', {type: 'checkbox', name: 'errors', value: '1'}), 'errors only'), choice('gold', 'gold class', classes(golds)));
    form.append(choice('predicted', 'predicted class', classes(predictions)), field('margin', 'margin at most', '0.5'), field('ids', 'examples', '3, 17'));
    if (golds.length) form.append(choice('order', 'order', [['', 'as given'], ['errors', 'errors first'], ['margin', 'smallest margin first']]));
    form.hidden = false;
    const read = () => {
      const state = Object.fromEntries(new URLSearchParams(location.hash.startsWith('#?') ? location.hash.slice(2) : ''));
      for (const input of form.elements) { if (input.type === 'checkbox') input.checked = state[input.name] === '1'; else if (document.activeElement !== input) input.value = state[input.name] || ''; }
      change(state);
    };
    form.addEventListener('input', () => {
      const parts = new URLSearchParams();
      for (const [key, value] of new FormData(form)) if (value.trim()) parts.set(key, value.trim());
      history.replaceState(null, '', `#?${parts}`);
      read();
    });
    form.addEventListener('submit', event => event.preventDefault());
    addEventListener('hashchange', read);
    read();
  }
  // Whether an example {id, gold, predicted, margin, wrong} is wanted, and what it is sorted by.
  function exampleTest(state) {
    const ids = state.ids ? new Set(state.ids.split(/[\s,]+/).filter(Boolean).map(Number)) : null;
    return one => (!state.errors || one.wrong) && (!state.gold || one.gold === state.gold) && (!state.predicted || one.predicted === state.predicted) &&
      (!state.margin || one.margin <= Number(state.margin)) && (!ids || ids.has(one.id));
  }
  const exampleOrder = {errors: one => one.wrong ? -one.margin : one.margin, margin: one => one.margin};

  return {load, deliver, floats, numbers, ascending, shown, signed, grouped, side, make, choice, field, exampleFilters, exampleTest, exampleOrder};
})();
