// Runs in a page before its own scripts: notes when it can be used and when its first rows are painted, and
// scrolls its list. The page knows nothing of it; it looks at test ids.
import { frame, painted, random } from "./sample.js";

const ROW = '[data-testid="todo-item"]';
const FRAME_MS = 1_000 / 60;
const LONG_MS = 1_000;

const marks = {};
const waiting = {};

function mark(name) {
  marks[name] = performance.now();
  waiting[name]?.(marks[name]);
}

let drawing = false;
function look() {
  const worker = document.querySelector('[data-testid="status"]')?.dataset.worker === "worker";
  const composer = document.querySelector('[data-testid="composer"]');
  if (!marks.interactive && worker && composer && !composer.disabled) mark("interactive");
  if (!drawing && document.querySelector(ROW)) {
    drawing = true;
    painted().then(() => mark("rows"));
  }
}
new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-worker", "disabled"] });

function scroller() {
  let element = document.querySelector(ROW);
  while (element && !(element.scrollHeight > element.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(element).overflowY))) {
    element = element.parentElement;
  }
  return element ?? document.scrollingElement;
}

// Whether rows stand where one looks: in the middle of the list or close to it.
function hasRows(list) {
  const { left, width, top, height } = list.getBoundingClientRect();
  return [0.3, 0.5, 0.7].some((at) => document.elementFromPoint(left + width / 2, top + height * at)?.closest(ROW));
}

globalThis.watch = {
  // Milliseconds from the start of the navigation.
  when: (name) => new Promise((resolve) => (name in marks ? resolve(marks[name]) : (waiting[name] = resolve))),

  // Everything there is, where a list shows its first part and a button for the rest.
  async unfold() {
    for (let button; (button = document.querySelector('.group .text-button')); await painted()) button.click();
    return { rows: document.querySelectorAll(ROW).length, height: scroller().scrollHeight };
  },

  // Jumps to random places; the time until rows are painted there.
  async jump(n, seed) {
    const list = scroller();
    const next = random(seed);
    const samples = [];
    for (let i = 0; i < n; i++) {
      await frame();
      const started = performance.now();
      list.scrollTop = next() * (list.scrollHeight - list.clientHeight);
      do await painted();
      while (!hasRows(list) && performance.now() - started < LONG_MS);
      samples.push(performance.now() - started);
    }
    return samples;
  },

  // Scrolls for a while, a step each frame; the time between frames, and how many were missed.
  async scroll(ms) {
    const list = scroller();
    list.scrollTop = 0;
    await painted();
    const frames = [];
    let last = await frame();
    for (const end = last + ms; last < end; ) {
      list.scrollTop += 40;
      const now = await frame();
      frames.push(now - last);
      last = now;
    }
    return { frames, missed: frames.reduce((sum, ms) => sum + Math.max(0, Math.round(ms / FRAME_MS) - 1), 0) };
  },
};
