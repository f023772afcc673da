// Runs in the app's page before its own scripts: brings photos in, fills the library, and looks at the pane as a person does. The page
// knows nothing of it.
import { call, find, until } from "./by-hand.js";
import { mixed } from "./photo-files.js";
import { frame, painted } from "./sample.js";

const FRAME_MS = 1_000 / 60;
const CELL = '[data-testid="photo-cell"]';
const blocked = [];
new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => blocked.push(duration))).observe({ type: "longtask" });

// As a person chooses them.
async function files(count) {
  const all = new DataTransfer();
  for (const file of await mixed(new URL("../photo/samples/sample1.jpg", location.href).href, count)) all.items.add(file);
  return all.files;
}

const hash = (number) => `${number.toString(16).padStart(20, "0")}${"7".padStart(44, "0")}`;

function row(number) {
  const day = new Date(Date.UTC(2012, 0, 1) + Math.floor(number / 12) * 3 * 86_400_000).toISOString().slice(0, 10);
  const time = `${String(8 + (number % 12)).padStart(2, "0")}:${String(number % 60).padStart(2, "0")}:00`;
  const cities = ["Paris", "Rome", "Oslo", "Lisbon", "Vienna"];
  return {
    hash: hash(number), name: `IMG_${number}.jpg`, bytes: 3_000_000, kind: "image/jpeg", taken: `${day}T${time}`, gps: { lat: 48 + (number % 7), lon: 2 + (number % 9) }, camera: "Pixel 9",
    seen: {
      width: 4000, height: 3000, faces: number % 4 ? 0 : 1 + (number % 3), look: (number * 2654435761 % 2 ** 32).toString(16).padStart(16, "0"),
      quality: { score: 30 + (number * 7) % 70, sharp: 60, light: 70, reasons: ["sharp"] },
      place: { city: cities[number % 5], country: "Somewhere", landmarks: [] },
      tags: number % 3 ? [] : [{ name: "dog", by: "net", sure: 80 }, { name: "beach", by: "net", sure: 60 }],
    },
  };
}

globalThis.photos = {
  // Opens the pane; the time until its first photos are painted, where there are some.
  async open(hasPhotos) {
    await until("the page", () => find("status")?.dataset.worker === "worker" && find("side-tab-photos"));
    const started = performance.now();
    find("side-tab-photos").click();
    await until("the photos", () => (hasPhotos ? document.querySelector(CELL) : find("photo-add")));
    await painted();
    return performance.now() - started;
  },

  // Brings photos in: seconds, and the longest block of the page.
  async take(count) {
    const chosen = await files(count);
    const input = find("photo-add");
    blocked.length = 0;
    const started = performance.now();
    input.files = chosen;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    await until("the import", () => find("photo-intake"));
    await until("the end of the import", () => !find("photo-intake"), 1_800);
    const seconds = (performance.now() - started) / 1000;
    const { num_images } = await call("photo_list", {});
    return { seconds, blocked: Math.max(0, ...blocked), num_images };
  },

  // Rows as an import leaves them, by the tool that an import tells.
  async fill(count) {
    for (let from = 0; from < count; from += 250) {
      await call("photo_import", { items: Array.from({ length: Math.min(250, count - from) }, (_, at) => row(from + at)) });
    }
    return (await call("photo_list", {})).num_images;
  },

  // A tool's answer, by fetch: the worker's time and the way there.
  async tool(name, args, n) {
    const samples = [];
    for (let at = -3; at < n; at++) {
      const started = performance.now();
      await call(name, args);
      if (at >= 0) samples.push(performance.now() - started);
    }
    return samples;
  },

  // From a letter in the search field until the grid shows what fits.
  async filter(words, n) {
    const samples = [];
    const [field, grid] = [find("photo-search"), find("photo-grid")];
    for (let at = 0; at < n; at++) {
      const before = grid.innerHTML;
      const started = performance.now();
      field.value = at % 2 ? "" : words[(at / 2) % words.length];
      field.dispatchEvent(new Event("input", { bubbles: true }));
      do await painted();
      while (grid.innerHTML === before);
      samples.push(performance.now() - started);
    }
    return samples;
  },

  // Scrolls for a while, a step each frame; how many frames were missed.
  async scroll(ms) {
    const list = find("photo-grid");
    list.scrollTop = 0;
    await painted();
    const frames = [];
    let last = await frame();
    for (const end = last + ms; last < end; ) {
      list.scrollTop += 60;
      const now = await frame();
      frames.push(now - last);
      last = now;
    }
    if (list.scrollTop < 1000) throw new Error("the grid does not scroll");
    return { frames, missed: frames.reduce((sum, ms) => sum + Math.max(0, Math.round(ms / FRAME_MS) - 1), 0) };
  },
};
