// Creating and listing, by fetch and by port.
import { makeTodos } from "../data.js";
import { interleaved } from "./sample.js";
import { keepAwake } from "./workers.js";

const ARGS = { title: "Water the plants of the row behind", due: "2026-12-05", priority: "high", tags: ["home"] };
const TEN = Array.from({ length: 10 }, (_, i) => i);

export async function echo({ n, seed, workers: { floor } }) {
  const body = JSON.stringify({ text: "x".repeat(180) });
  const contenders = { "floor fetch": () => floor.echo(body), "floor port": () => floor.echoByPort(body) };
  return { samples: await interleaved({ n, seed, between: keepAwake([floor]), contenders }) };
}

// The size of each contender's answer, so that nobody is quick by saying less.
async function sizes(contenders, owner) {
  const bytes = {};
  for (const [name, call] of Object.entries(contenders)) {
    await call();
    bytes[name] = owner(name).bytes;
  }
  return bytes;
}

async function row({ n, seed, workers, tool, args }) {
  const contenders = {};
  for (const [name, worker] of Object.entries(workers)) {
    contenders[`${name} fetch`] = () => worker.fetch(tool, args);
    if (worker.channel) contenders[`${name} port`] = () => worker.port(tool, args);
  }
  const bytes = await sizes(contenders, (name) => workers[name.split(" ")[0]]);
  const samples = await interleaved({ n, seed, between: keepAwake(Object.values(workers)), contenders });
  return { samples, bytes };
}

export const create = (options) => row({ ...options, tool: "todo_create", args: ARGS });
export const list = (options) => row({ ...options, tool: "todo_list", args: { limit: 100 } });
export const filter = (options) => row({ ...options, tool: "todo_list", args: { list: "List 7", limit: 50 } });

// Ten creates at once against one, in the same run.
export async function parallel({ n, seed, workers }) {
  const contenders = {};
  for (const [name, worker] of Object.entries(workers)) {
    const doors = worker.channel ? ["fetch", "port"] : ["fetch"];
    for (const door of doors) {
      contenders[`${name} ${door} one`] = () => worker[door]("todo_create", ARGS);
      contenders[`${name} ${door} ten`] = () => Promise.all(TEN.map(() => worker[door]("todo_create", ARGS)));
    }
  }
  return { samples: await interleaved({ n, seed, between: keepAwake(Object.values(workers)), contenders }) };
}

// The app's page holds its worker's module, so that it stays compiled while the worker is stopped. From here on this page
// does too.
let held;
export async function hold({ workers }) {
  held = await WebAssembly.compileStreaming(fetch(`${workers.satchel.scope}service-worker_bg.wasm`));
  return held instanceof WebAssembly.Module;
}

// The first tool call of a worker that is stopped. Of ours also the way there: an answer of its script alone,
// and one of its server that needs no database (it refuses a page of another version).
export async function cold({ workers, name }) {
  const { satchel } = workers;
  const started = performance.now();
  if (name === "satchel script") await satchel.refused({ "content-type": "text/plain" }, 415);
  else if (name === "satchel module") await satchel.refused({ "satchel-version": "0" }, 409);
  else await workers[name].fetch("todo_create", ARGS);
  return performance.now() - started;
}

// The same to-dos for everybody, put there beside the workers, which are not running yet.
export async function fill({ count, satchel, names }) {
  const todos = makeTodos(count);
  if (names.includes("satchel")) await (await satchel()).seed(JSON.stringify(todos));
  for (const name of names.filter((name) => name !== "satchel")) await put(`bench-${name}`, todos);
}

function put(database, todos) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore("todos", { keyPath: "id" }).createIndex("list", "list");
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const transaction = request.result.transaction("todos", "readwrite");
      const all = transaction.objectStore("todos");
      todos.forEach((todo) => all.put(todo));
      transaction.oncomplete = () => (request.result.close(), resolve());
      transaction.onabort = () => reject(transaction.error);
    };
  });
}

// Ports die with their workers.
export async function reconnect({ workers }) {
  for (const worker of Object.values(workers)) if (worker.channel) await worker.connect();
}

// The first filtered list of a worker that is stopped.
export async function wake({ workers, name }) {
  const started = performance.now();
  await workers[name].fetch("todo_list", { list: "List 7", limit: 50 });
  return performance.now() - started;
}
