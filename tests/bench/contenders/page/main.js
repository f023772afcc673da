// The page in which everything is measured; the driver calls `bench`.
import * as data from "./data.js";
import * as doors from "./doors.js";
import * as sse from "./sse.js";
import * as calls from "./calls.js";
import { Worker } from "./workers.js";

const workers = {};
let satchel; // our code in wasm: fills a database, opens one, decodes a stream

async function start({ names }) {
  for (const name of names) {
    workers[name] = await Worker.start(name);
    if (name !== "peer") await workers[name].connect();
  }
  return { isolated: crossOriginIsolated };
}

async function wasm() {
  if (satchel) return satchel;
  const module = await import(new URL("./bench_wasm.js", location.href).href);
  await module.default();
  return (satchel = module);
}

const chosen = (names) => Object.fromEntries(names.map((name) => [name, workers[name]]));

globalThis.bench = { start };
const rows = { ...doors, ...data, ...sse, ...calls };
for (const [name, row] of Object.entries(rows)) {
  globalThis.bench[name] = async (options) =>
    row({ ...options, satchel: wasm, workers: chosen(options.names ?? Object.keys(workers)) });
}
globalThis.ready = true;
