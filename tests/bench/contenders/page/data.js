// Ten thousand to-dos and more: from the disk, onto the disk.
import Dexie from "dexie";
import { makeTodos } from "../data.js";
import { interleaved, timed } from "./sample.js";
import { keepAwake } from "./workers.js";

const request = (open) =>
  new Promise((resolve, reject) => {
    open.onsuccess = () => resolve(open.result);
    open.onerror = () => reject(open.error);
  });

const dexie = () => {
  const db = new Dexie("bench-dexie");
  db.version(1).stores({ todos: "id, list" });
  return db;
};

const check = (found, count) => {
  if (found !== count) throw new Error(`${found} to-dos were read, not ${count}`);
};

// From a closed database to values in memory.
export async function open({ n, seed, count, satchel }) {
  const filler = dexie();
  await filler.todos.bulkPut(makeTodos(count));
  filler.close();
  const ours = await satchel();
  const contenders = {
    async satchel() {
      check(await ours.open_database(), count);
    },
    async floor() {
      const db = await request(indexedDB.open("bench-floor"));
      check((await request(db.transaction("todos").objectStore("todos").getAll())).length, count);
      db.close();
    },
    async dexie() {
      const db = dexie();
      check((await db.todos.toArray()).length, count);
      db.close();
    },
  };
  return { samples: await interleaved({ n, seed, contenders, warmUp: 2 }) };
}

// One bulk import of a file's text into nothing, in the contender's own way. The driver empties ours before.
export async function bulk({ name, count, workers }) {
  const text = JSON.stringify(makeTodos(count));
  if (name === "dexie") {
    const db = dexie();
    await db.todos.clear();
    const ms = await timed(() => db.todos.bulkPut(JSON.parse(text)));
    db.close();
    return ms;
  }
  const worker = workers[name];
  if (name === "floor") {
    await worker.port("clear", {});
    return timed(async () => check((await worker.port("import", { text })).imported, count));
  }
  if (await worker.has("data_import")) {
    return timed(async () => check((await worker.port("data_import", { format: "json", text })).new, count));
  }
  const items = JSON.parse(text).map(({ title, due, priority, tags, list }) => ({ title, due, priority, tags, list }));
  const awake = keepAwake([worker]);
  return timed(async () => {
    for (let from = 0; from < items.length; from += 100) {
      await awake();
      await worker.port("todo_create", { items: items.slice(from, from + 100) });
    }
  });
}

// Our database and its second copy, gone as if there had never been one.
export async function wipe() {
  await request(indexedDB.deleteDatabase("satchel"));
  const root = await navigator.storage.getDirectory();
  for await (const name of root.keys()) await root.removeEntry(name, { recursive: true });
}

// A long trip checked, as after every change of it.
export async function tripCheck({ count, n, satchel }) {
  const { LongTrip } = await satchel();
  const trip = new LongTrip(count);
  const samples = [];
  for (let round = -10; round < n; round++) {
    const ms = await timed(() => trip.check());
    if (round >= 0) samples.push(ms);
  }
  return { samples, findings: trip.check() };
}
