'use strict';
// Filters what the page already shows. It holds no data: what it compares stands in attributes and texts of the page.
(() => {
  const form = document.getElementById('filter');
  const talks = Array.from(document.querySelectorAll('.talk'));
  if (!form || talks.length === 0) return;
  const { verdict, tag, text } = form.elements;
  const shown = document.getElementById('shown');
  const tags = new Map(talks.map((talk) => [talk, JSON.parse(talk.dataset.tags)]));
  const words = new Map();
  const wordsOf = (talk) => {
    if (!words.has(talk)) words.set(talk, talk.textContent.toLowerCase());
    return words.get(talk);
  };
  const filter = () => {
    const parts = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const talk of talks) {
      const fits = (!verdict.value || talk.dataset.verdict === verdict.value)
        && (!tag.value || tags.get(talk).includes(tag.value))
        && parts.every((part) => wordsOf(talk).includes(part));
      talk.hidden = !fits;
      if (fits) count += 1;
    }
    shown.textContent = `${count} of ${talks.length} conversations shown`;
  };
  const open = (is) => {
    for (const talk of talks) if (!talk.hidden) talk.querySelector('details').open = is;
  };
  // A word is typed letter by letter; the page is searched when it rests.
  let later;
  text.addEventListener('input', () => { clearTimeout(later); later = setTimeout(filter, 150); });
  form.addEventListener('change', filter);
  form.addEventListener('submit', (event) => { event.preventDefault(); filter(); });
  form.addEventListener('reset', () => setTimeout(filter));
  document.getElementById('open').addEventListener('click', () => open(true));
  document.getElementById('close').addEventListener('click', () => open(false));
  // What is on paper cannot be opened.
  let closed = [];
  window.addEventListener('beforeprint', () => {
    closed = talks.filter((talk) => !talk.hidden).flatMap((talk) => Array.from(talk.querySelectorAll('details:not([open])')));
    for (const one of closed) one.open = true;
  });
  window.addEventListener('afterprint', () => { for (const one of closed) one.open = false; });
  form.hidden = false;
  filter();
})();
