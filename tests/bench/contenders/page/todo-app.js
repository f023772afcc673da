// Runs in the app's page before its own scripts: opens views of a large list, looks for words, moves to-dos by the keyboard, and counts frames,
// as a person does. The page knows nothing of it.
import { call, find, until } from "./by-hand.js";
import { frame, painted } from "./sample.js";

const FRAME_MS = 1_000 / 60;
const ROW = '[data-testid="todo-item"]';

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const titles = () => [...document.querySelectorAll(`${ROW} [data-testid="todo-title"]`)].map((title) => title.textContent);

function scroller() {
  let element = document.querySelector(ROW);
  while (element && !(element.scrollHeight > element.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(element).overflowY))) {
    element = element.parentElement;
  }
  return element;
}

// The last entry of the history.
async function newest() {
  const { entries } = await call("history", { limit: 1 });
  return entries[0] ?? { rev: 0, total: 0 };
}

globalThis.todos = {
  // The page stands with rows.
  ready: () => until("the list", () => find("status")?.dataset.worker === "worker" && document.querySelector(ROW)),

  // A view by its address, as a link opens it: from there until its first rows are painted. The lists are of 50 to-dos each, whose numbers
  // tell them apart.
  async view(n, lists) {
    const samples = [];
    for (let at = 0; at < n; at++) {
      const list = at % lists;
      // A browser holds back a page that goes to too many addresses in a few seconds.
      await pause(150);
      const started = performance.now();
      location.hash = `#todos/list/${encodeURIComponent(`List ${list}`)}`;
      await until(`the view of list ${list}`, () => {
        const all = titles();
        return all.length > 0 && all.every((title) => Number(title.match(/\d+$/)?.[0]) % lists === list);
      });
      await painted();
      samples.push(performance.now() - started);
    }
    location.hash = "#todos/all";
    await until("all to-dos", () => find("todo-views").textContent.length > 0 && document.querySelectorAll(ROW).length > 0);
    await painted();
    return samples;
  },

  // From a word in the search field until the rows that have it are painted.
  async search(words, n) {
    find("todo-find-open").click();
    const field = await until("the search field", () => find("todo-find"));
    const samples = [];
    for (let at = 0; at < n; at++) {
      const word = words[at % words.length];
      const started = performance.now();
      field.value = word;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await until(`what has ${word}`, () => {
        const all = titles();
        // All of its words, wherever they stand.
        return all.length > 0 && all.every((title) => word.split(" ").every((one) => title.includes(one)));
      });
      await painted();
      samples.push(performance.now() - started);
    }
    find("todo-find-open").click();
    await until("the list again", () => !find("todo-find") && document.querySelectorAll(ROW).length > 0);
    await painted();
    return samples;
  },

  // One moved a place down by the keyboard, and how many rows that changed.
  async move(n) {
    const samples = [];
    // What moves rows comes with whoever comes to the list.
    document.querySelector(ROW).querySelector("input, button").focus();
    await pause(3_000);
    const first = await newest();
    for (let at = 0; at < n; at++) {
      const before = titles();
      const row = document.querySelector(ROW);
      row.querySelector("input, button").focus();
      const started = performance.now();
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", altKey: true, bubbles: true, cancelable: true }));
      await until(`the order after move ${at}`, () => titles()[0] !== before[0]);
      await painted();
      samples.push(performance.now() - started);
      await pause(300);
    }
    const after = await newest();
    return { samples, changes: (after.rev - first.rev) / n, rows: after.total };
  },

  // Scrolls for a while, a step each frame; how many frames were missed.
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
    if (list.scrollTop < 1000) throw new Error("the list does not scroll");
    return { frames, missed: frames.reduce((sum, ms) => sum + Math.max(0, Math.round(ms / FRAME_MS) - 1), 0) };
  },
};
