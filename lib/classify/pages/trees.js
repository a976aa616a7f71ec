// Trees and fragments as text, as drawings, and one inside the other. A node is {label, leaf, children}; a fragment's
// inner node without children is open: the fragment says nothing about what is below.
const trees = (() => {
  const escapable = c => c === '(' || c === ')' || c === '\\' || c === ' ' || c === '\t' || c === '\r';
  const blank = c => c === ' ' || c === '\t' || c === '\r' || c === '\n';

  // The node that `text` writes; null where it is none. With `bracketed` a label alone in brackets is a leaf, as in trees of other
  // programs; without it is an open node, as in fragments.
  function parse(text, bracketed = false) {
    const open = [];
    let at = 0, root = null;
    while (at < text.length) {
      if (blank(text[at])) { ++at; continue; }
      if (root && !open.length) return null;
      if (text[at] === ')') {
        if (!open.length) return null;
        const node = open.pop();
        if (bracketed && !node.children.length) node.leaf = true;
        ++at;
        continue;
      }
      const inner = text[at] === '(';
      if (inner) { ++at; while (at < text.length && blank(text[at])) ++at; }
      let label = '';
      while (at < text.length && text[at] !== '(' && text[at] !== ')' && !blank(text[at])) {
        if (text[at] === '\\' && at + 1 < text.length && escapable(text[at + 1])) ++at;
        label += text[at++];
      }
      if (!label) return null;
      const node = {label, leaf: !inner, children: []};
      if (open.length) open[open.length - 1].children.push(node); else root = node;
      if (inner) open.push(node);
    }
    return open.length ? null : root;
  }

  // Nodes in pre-order, without recursion: trees may be deep.
  function nodes(root) {
    const list = [], pending = [root];
    while (pending.length) {
      const node = pending.pop();
      list.push(node);
      for (let i = node.children.length; i-- > 0;) pending.push(node.children[i]);
    }
    return list;
  }

  const words = root => nodes(root).filter(node => node.leaf);

  // `*` in a pattern's label stands for any text.
  function labelTest(pattern) {
    if (!pattern.includes('*')) return label => label === pattern;
    const test = new RegExp('^' + pattern.split('*').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*') + '$', 'u');
    return label => test.test(label);
  }

  // Whether `pattern` (a node with tests made by compile()) fits somewhere in the fragment: `fdi find --pattern`.
  function compile(text) {
    const root = parse(text);
    if (root) for (const node of nodes(root)) { node.test = labelTest(node.label); node.any = node.leaf && node.label === '*'; }
    return root;
  }
  function fits(pattern, node) {
    if (pattern.leaf !== node.leaf || !pattern.test(node.label)) return false;
    if (!pattern.children.length) return true;
    let reached = new Array(node.children.length + 1).fill(false);
    reached[0] = true;
    for (const want of pattern.children) {
      if (want.any) {
        for (let i = 1; i < reached.length; ++i) reached[i] = reached[i] || reached[i - 1];
        continue;
      }
      for (let i = node.children.length; i > 0; --i) reached[i] = reached[i - 1] && fits(want, node.children[i - 1]);
      reached[0] = false;
    }
    return reached[reached.length - 1];
  }
  const matches = (pattern, root) => nodes(root).some(node => fits(pattern, node));

  // The nodes of the tree that an occurrence of the fragment covers, all occurrences together. With `partial` (ptk, uptk) a
  // fragment's children are some of the tree's children, in order; else they are all of them.
  function occurrences(fragment, root, partial) {
    const covered = new Set();
    const found = new Map();
    const embeds = (want, node) => {
      let known = found.get(want);
      if (!known) found.set(want, known = new Map());
      if (!known.has(node)) known.set(node, embedsAnew(want, node));
      return known.get(node);
    };
    const embedsAnew = (want, node) => {
      if (want.label !== node.label || (!partial && want.leaf !== node.leaf)) return false;
      if (!want.children.length) return true;
      if (!partial) return want.children.length === node.children.length && want.children.every((child, i) => embeds(child, node.children[i]));
      let next = 0;
      for (const child of node.children) if (next < want.children.length && embeds(want.children[next], child)) ++next;
      return next === want.children.length;
    };
    const cover = (want, node) => {
      covered.add(node);
      if (!partial) { want.children.forEach((child, i) => cover(child, node.children[i])); return; }
      // A child takes part if the children wanted before it fit before it, and those after it after it.
      const count = want.children.length, before = [], after = [];
      for (let i = 0, next = 0; i < node.children.length; ++i) {
        before.push(next);
        if (next < count && embeds(want.children[next], node.children[i])) ++next;
      }
      for (let i = node.children.length, next = 0; i-- > 0;) {
        after[i] = next;
        if (next < count && embeds(want.children[count - 1 - next], node.children[i])) ++next;
      }
      node.children.forEach((child, i) => want.children.forEach((part, k) => {
        if (before[i] >= k && after[i] >= count - 1 - k && embeds(part, child)) cover(part, child);
      }));
    };
    for (const node of nodes(root)) if (embeds(fragment, node)) cover(fragment, node);
    return covered;
  }

  // Nodes in post-order.
  function upwards(root) {
    const list = [], pending = [root];
    while (pending.length) {
      const node = pending.pop();
      list.push(node);
      pending.push(...node.children);
    }
    return list.reverse();
  }

  const SIZE = 15, LEVEL = 46, MARGIN = 8, LONGEST = 32;  // as TreeLayout of the library has them
  const shorten = label => [...label].length > LONGEST ? [...label].slice(0, LONGEST - 1).join('') + '…' : label;

  // An SVG element. `places`: where the library's layout puts the middle of each node, in post-order, and last the width of the drawing. `marked`: a map
  // from node to 'for' or 'against'.
  function draw(root, places, marked = new Map()) {
    const place = new Map(), width = places[places.length - 1];
    let depth = 0;
    upwards(root).forEach((node, i) => place.set(node, {x: places[i]}));
    place.get(root).level = 0;
    const list = nodes(root);
    for (const node of list) {
      const here = place.get(node);
      here.y = MARGIN + SIZE + here.level * LEVEL;
      depth = Math.max(depth, here.level);
      for (const child of node.children) place.get(child).level = here.level + 1;
    }
    const height = 2 * MARGIN + SIZE + 6 + depth * LEVEL;
    const svg = element('svg', {class: 'tree', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': words(root).map(node => node.label).join(' ').slice(0, 500) || root.label.slice(0, 500), style: `--width:${width}`, 'data-root': place.get(root).x / width});
    for (const node of list) for (const child of node.children) {
      const a = place.get(node), b = place.get(child);
      svg.append(element('line', {x1: a.x, y1: a.y + 6, x2: b.x, y2: b.y - SIZE - 1}));
    }
    for (const node of list) {
      const here = place.get(node), label = shorten(node.label), kind = node.leaf ? 'leaf' : node.children.length ? '' : 'open';
      const text = element('text', {class: [kind, marked.has(node) ? 'marked ' + marked.get(node) : ''].join(' ').trim(), x: here.x, y: here.y}, label);
      if (label !== node.label) text.append(element('title', {}, node.label.slice(0, 500)));
      svg.append(text);
    }
    return svg;
  }
  // Boxes behind the marked labels of a drawing that is on the page: only there is their width known.
  function box(svg) {
    for (const text of svg.querySelectorAll('text.marked')) {
      const at = text.getBBox();
      svg.insertBefore(element('rect', {class: text.classList.contains('for') ? 'for' : 'against', 'fill-opacity': '.35', x: at.x - 4, y: at.y - 1, width: at.width + 8, height: at.height + 2, rx: 4}), svg.querySelector('text'));
    }
  }

  function element(name, attributes, text) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const key in attributes) if (attributes[key] !== '') made.setAttribute(key, typeof attributes[key] === 'number' ? Math.round(attributes[key] * 1000) / 1000 : attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  return {parse, nodes, words, compile, matches, labelTest, occurrences, draw, box};
})();
