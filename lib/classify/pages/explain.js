// Explanations on a page: where fragments are, filters, keys.
(() => {
  const sections = [...document.querySelectorAll('section.example')];
  const main = document.querySelector('main'), form = document.querySelector('#filters'), status = document.querySelector('[role=status]');
  const examples = sections.map(section => ({section, id: Number(section.dataset.id), gold: section.dataset.gold, predicted: section.dataset.predicted, margin: Number(section.dataset.margin), wrong: section.classList.contains('wrong')}));
  const count = (number, what) => `${site.grouped(number)} ${what}`;

  // A row lights up the nodes of its fragment: those of the whole tree (n) and of the one with roofs (r).
  for (const row of document.querySelectorAll('tr[data-nodes]')) {
    const light = on => { for (const name of row.dataset.nodes.split(' ').filter(Boolean)) for (const box of [name, name.replace('n', 'r')].map(id => document.getElementById(id))) if (box) box.classList.toggle('lit', on); };
    for (const [event, on] of [['mouseenter', true], ['mouseleave', false], ['focus', true], ['blur', false]]) row.addEventListener(event, () => light(on));
  }

  // Wide trees start with their root in the middle.
  const centre = () => { for (const drawing of document.querySelectorAll('.drawing > svg[data-root]')) drawing.parentElement.scrollLeft = Number(drawing.dataset.root) * drawing.clientWidth - drawing.parentElement.clientWidth / 2; };
  for (const more of document.querySelectorAll('details')) more.addEventListener('toggle', centre);
  addEventListener('resize', centre);

  function show(state) {
    const test = site.exampleTest(state), key = site.exampleOrder[state.order];
    let shown = 0;
    for (const example of examples) { example.section.hidden = !test(example); shown += example.section.hidden ? 0 : 1; }
    if (key || main.dataset.sorted) main.append(...(key ? [...examples].sort((a, b) => key(a) - key(b)) : examples).map(example => example.section));
    main.dataset.sorted = key ? 'yes' : '';
    const wrong = examples.filter(example => example.wrong).length;
    status.textContent = (shown < examples.length ? `${count(shown, 'of')} ` : '') + count(examples.length, examples.length === 1 ? 'example' : 'examples') + (examples.some(one => one.gold) ? `, ${count(wrong, 'wrong')}` : '');
    centre();
    document.body.dataset.ready = location.hash || '#';
  }

  addEventListener('keydown', event => {
    if (event.target.matches('input, select') || event.ctrlKey || event.metaKey || event.altKey) return;
    const shown = [...main.querySelectorAll('section.example:not([hidden])')], at = shown.findIndex(section => section.classList.contains('chosen'));
    const choose = to => { for (const section of sections) section.classList.toggle('chosen', section === shown[to]); if (shown[to]) { shown[to].scrollIntoView(); shown[to].focus({preventScroll: true}); } };
    if (event.key === 'j') choose(Math.min(shown.length - 1, at + 1));
    else if (event.key === 'k') choose(Math.max(0, at - 1));
    else if (event.key === 'e' && form.elements.errors) form.elements.errors.click();
  });
  const labels = key => [...new Set(examples.map(one => one[key]).filter(Boolean))].sort((a, b) => a.localeCompare(b, 'en', {numeric: true}));
  if (sections.length > 1) site.exampleFilters(form, labels('gold'), labels('predicted'), show); else show({});
  const target = location.hash.startsWith('#e') ? document.getElementById(location.hash.slice(1)) : null;
  if (target) target.scrollIntoView();
})();
