'use strict';
// Draws `path`, the object of path.json: weights, features and quality against C, then the table of all steps.
const make = (name, attributes = {}, ...children) => {
  const drawn = ['svg', 'g', 'line', 'polyline', 'text', 'circle', 'title'].includes(name);
  const element = drawn ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const number = (value, digits = 4) => value === null ? '' : Number(value.toPrecision(digits)).toString();
const width = 900, height = 330, left = 60, right = 20, top_ = 12, bottom = 40;
const costs = path.steps.map(step => step.c);
const low = Math.log10(costs[0]), high = Math.log10(costs[costs.length - 1]);
const x = c => left + (high > low ? (Math.log10(c) - low) / (high - low) : .5) * (width - left - right);

function ticks(from, to, count) {
  const step = 10 ** Math.floor(Math.log10((to - from) / count || 1));
  const wide = [1, 2, 5, 10].map(k => k * step).find(s => (to - from) / s <= count) || step;
  const out = [];
  for (let k = Math.ceil(from / wide - 1e-9); k * wide <= to + 1e-9 * wide; ++k) out.push(k * wide);
  return out;
}

// lines: [{name, values, colour}], values by step, null where there is none.
function plot(title, lines) {
  const values = lines.flatMap(line => line.values).filter(value => value !== null);
  let least = Math.min(...values), most = Math.max(...values);
  if (least === most) { least -= 1; most += 1; }
  const y = value => height - bottom - (value - least) / (most - least) * (height - top_ - bottom);
  const svg = make('svg', {class: 'plot', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title});
  for (const tick of ticks(least, most, 6)) {
    svg.append(make('line', {x1: left, x2: width - right, y1: y(tick), y2: y(tick), class: 'grid'}),
      make('text', {x: left - 6, y: y(tick) + 4, 'text-anchor': 'end'}, number(tick)));
  }
  for (let power = Math.ceil(low); power <= high; ++power) {
    svg.append(make('line', {x1: x(10 ** power), x2: x(10 ** power), y1: top_, y2: height - bottom, class: 'grid'}),
      make('text', {x: x(10 ** power), y: height - bottom + 16, 'text-anchor': 'middle'}, number(10 ** power)));
  }
  const chosen = x(path.steps[path.chosen].c);
  svg.append(make('line', {x1: chosen, x2: chosen, y1: top_, y2: height - bottom, style: 'stroke:var(--accent);stroke-dasharray:4 3'}),
    make('text', {x: width / 2, y: height - 6, 'text-anchor': 'middle'}, 'C (dashed: the model that was written)'));
  for (const line of lines) {
    const points = line.values.map((value, k) => value === null ? null : `${x(costs[k]).toFixed(1)},${y(value).toFixed(1)}`);
    const drawn = make('polyline', {points: points.filter(Boolean).join(' '), style: `stroke:${line.colour};stroke-width:1.5`});
    drawn.append(make('title', {}, line.name));
    drawn.addEventListener('mouseenter', () => drawn.style.strokeWidth = 4);
    drawn.addEventListener('mouseleave', () => drawn.style.strokeWidth = 1.5);
    svg.append(drawn);
  }
  return make('section', {}, make('h2', {}, title), make('div', {class: 'scroll'}, make('div', {class: 'broad'}, svg)));
}

const main = document.querySelector('main');
document.getElementById('about').textContent =
  `${path.kernel}, ${path.loss}; C ${number(path.steps[path.chosen].c)} ${path.how}`;
const hue = k => `var(--series-${k % 8 + 1})`;
if (path.features.length) {
  main.append(plot('Weights of the strongest features', path.features.map((feature, k) => ({
    name: `${feature.class}: ${feature.text}`, values: feature.weights, colour: hue(k)}))));
  const largest = Math.max(...path.features.map(feature => Math.abs(feature.weights[path.chosen]))) || 1;
  const decimals = Math.min(12, Math.max(0, 3 - Math.floor(Math.log10(largest))));
  const rows = path.features.map((feature, k) => make('tr', {},
    make('td', {class: 'number'}, (feature.weights[path.chosen] < 0 ? '−' : '+') + Math.abs(feature.weights[path.chosen]).toFixed(decimals)), make('td', {class: 'name'}, feature.class),
    make('td', {style: `border-left:.4rem solid ${hue(k)}`}, make('code', {}, feature.text))));
  main.append(make('div', {class: 'scroll'}, make('table', {}, make('thead', {}, make('tr', {},
    make('th', {class: 'number'}, 'weight'), make('th', {}, 'class'), make('th', {}, 'feature'))), make('tbody', {}, ...rows))));
}
main.append(plot('Features with a weight', [{name: 'features', values: path.steps.map(step => step.features), colour: 'var(--for)'}]));
if (path.steps.some(step => step.quality !== null))
  main.append(plot(`${path.measure}, %`, [{name: path.measure, values: path.steps.map(step => step.quality), colour: 'var(--against)'}]));
const judged = path.steps.some(step => step.quality !== null);
const head = ['C', 'features', 'objective', 'gap', ...(judged ? [path.measure] : [])];
main.append(make('h2', {}, 'All of them'), make('div', {class: 'scroll'}, make('table', {},
  make('thead', {}, make('tr', {}, ...head.map(name => make('th', {class: 'number'}, name)))),
  make('tbody', {}, ...path.steps.map((step, k) => make('tr', k === path.chosen ? {class: 'chosen'} : {},
    ...[number(step.c), step.features, number(step.objective, 6), step.gap.toExponential(1) + (step.gap_reached ? '' : ' not reached'),
      ...(judged ? [step.quality === null ? '' : step.quality.toFixed(2)] : [])].map(text => make('td', {class: 'number'}, String(text)))))))));
