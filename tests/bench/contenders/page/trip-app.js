// Runs in the app's page before its own scripts: fills a long trip and opens it by hand, again and again. The page knows nothing of it.
import { call, find, until } from "./by-hand.js";
import { painted } from "./sample.js";

const ROW = '[data-testid="trip-segment"]';
const two = (number) => String(number).padStart(2, "0");

globalThis.trips = {
  // A trip with so many entries, seven a day.
  async fill(count) {
    const { itineraryId: itinerary } = await call("itinerary_create", { title: "A long way", start: "2026-06-01", end: "2026-06-30" });
    for (let at = 0; at < count; at++) {
      const start = `2026-06-${two(Math.floor(at / 7) + 1)}T${two((at % 7) + 9)}:00`;
      await call("add_activity", { itinerary, title: `Stop ${at}`, place: "Paris", start, end: start.replace(":00", ":30") });
    }
    find("tab-trips")?.click();
    find("side-tab-trips")?.click();
    await until("the trip's row", () => find("trips-open"));
    return itinerary;
  },

  // From a press on the trip in the list until its first rows are painted.
  async open(n) {
    const samples = [];
    for (let at = 0; at < n; at++) {
      const started = performance.now();
      find("trips-open").click();
      await until("the first rows", () => document.querySelector(ROW));
      await painted();
      samples.push(performance.now() - started);
      find("trip-back").click();
      await until("the list", () => find("trips-open"));
      await painted();
    }
    return samples;
  },
};
