// What the checks run against: the worker in a real Chromium, or the program on this machine. Both can be stopped at any
// moment, without a word to whoever is connected.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bridge } from "./bridge.mjs";
import { sleep, within } from "./wire.mjs";

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function worker(app, scripts) {
  const served = await bridge({ app, scripts });
  const inWorker = async (code) => {
    const [own] = served.page.context().serviceWorkers().slice(-1);
    return own.evaluate(code);
  };
  return {
    name: "worker",
    url: served.url,
    page: served.page,
    appUrl: served.appUrl,
    network: served.network,
    stop: served.stopWorkers,
    stopped: served.stopped,
    // As a page does that is about to delete the database.
    endGently: () => served.page.evaluate(() => navigator.serviceWorker.controller.postMessage({ satchel: "forget" })),
    // Moves the clock that the server reads.
    shiftClock: (ms) => inWorker(`(globalThis.realNow ??= Date.now, Date.now = () => globalThis.realNow() + ${ms}, true)`),
    close: served.close,
  };
}

async function native(program) {
  const folder = await mkdtemp(join(tmpdir(), "conformance-host-"));
  const port = await freePort();
  let child;
  let killed = 0;
  async function start(clockMs = 0) {
    const env = { ...process.env };
    if (clockMs) env.SATCHEL_TEST_CLOCK_MS = String(clockMs);
    child = spawn(program, [folder, String(port)], { stdio: ["ignore", "pipe", "inherit"], env });
    child.over = new Promise((resolve) => child.once("exit", resolve));
    let said = "";
    const ready = new Promise((resolve) => {
      child.stdout.on("data", (data) => {
        said += data;
        if (said.includes("\n")) resolve(said.trim());
      });
    });
    const failed = child.over.then((code) => Promise.reject(new Error(`the host ended (${code})`)));
    failed.catch(() => {});
    return within(Promise.race([ready, failed]), 20_000, "the host's start");
  }
  async function end(signal) {
    child.kill(signal);
    await within(child.over, 10_000, `the end after ${signal}`);
  }
  const url = await start();
  return {
    name: "native",
    url,
    async stop() {
      await end("SIGKILL");
      killed += 1;
      await start();
    },
    stopped: () => killed,
    async endGently() {
      await end("SIGINT");
      await start();
    },
    async shiftClock(ms) {
      await end("SIGKILL");
      await start(ms);
    },
    async close() {
      await end("SIGKILL");
      await sleep(50);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function host(kind, where, scripts = {}) {
  if (kind === "worker") return worker(where, scripts);
  if (kind === "http") return native(where);
  throw new Error("usage: node <script>.mjs worker <folder of the app> | http <path of conformance-host>");
}
