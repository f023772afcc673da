// A plain HTTP server whose answers come from the service worker in a real Chromium: what asks here (the conformance
// suite, a client in Node) is asked there by a page's fetch, header by header and piece by piece.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };
// What a page may not set, and what is between the suite and us.
const OURS = /^(host|origin|connection|content-length|transfer-encoding|keep-alive|accept-encoding|user-agent|sec-.*|cookie|referer|te|upgrade|expect|accept-language)$/i;
const HOP = /^(connection|content-length|transfer-encoding|keep-alive)$/i;
const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

// Serves the app's files, and beside them `scripts`, by path. Its own /api/mcp is an error: without a worker nothing
// passes, and what came here all the same is counted in `network`.
function serveApp(folder, scripts, network) {
  return createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://x").pathname);
    if (path.startsWith("/api/")) {
      network.push(`${request.method} ${path}`);
      return void response.writeHead(599).end("the worker is not in control");
    }
    if (Object.hasOwn(scripts, path)) return void response.writeHead(200, { "content-type": TYPES[".js"] }).end(scripts[path]);
    const file = path === "/" ? "/index.html" : path;
    try {
      const bytes = path === "/" ? Buffer.from("<!doctype html><title>bridge</title>") : await readFile(join(folder, file));
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
}

const listen = (server, port) =>
  new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", () => resolve(server.address().port)));

// In the page: answers one call by fetch, piece by piece.
function install() {
  const open = new Map();
  globalThis.mcpCall = async (id, method, headers, body) => {
    const abort = new AbortController();
    open.set(id, abort);
    try {
      const response = await fetch("/api/mcp", { method, headers, body: body ?? undefined, signal: abort.signal });
      await globalThis.mcpHead(id, response.status, [...response.headers]);
      const reader = response.body?.getReader();
      for (let piece; reader && !(piece = await reader.read()).done; ) {
        // In parts: a function takes only so many arguments.
        for (let at = 0; at < piece.value.length; at += 32_768) {
          await globalThis.mcpData(id, btoa(String.fromCharCode(...piece.value.subarray(at, at + 32_768))));
        }
      }
      await globalThis.mcpEnd(id, null);
    } catch (error) {
      await globalThis.mcpEnd(id, String(error));
    }
    open.delete(id);
  };
  globalThis.mcpAbort = (id) => open.get(id)?.abort();
}

// Starts all of it. Gives the address of the bridge, the page, and what stops workers and everything.
export async function bridge({ app, port = 0, scripts = {}, executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium" }) {
  const network = [];
  const files = serveApp(app, scripts, network);
  const appPort = await listen(files, 0);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await (await browser.newContext()).newPage();
  const waiting = new Map();
  let last = 0;
  await page.exposeBinding("mcpHead", (_, id, status, headers) => {
    const response = waiting.get(id);
    if (!response) return;
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => !HOP.test(name))));
    response.flushHeaders();
  });
  await page.exposeBinding("mcpData", (_, id, data) => void waiting.get(id)?.write(Buffer.from(data, "base64")));
  await page.exposeBinding("mcpEnd", (_, id, error) => {
    const response = waiting.get(id);
    // What breaks off there breaks off here: an end would say that all of it came.
    if (error && response?.headersSent) return void response.destroy();
    if (response && error) response.writeHead(502);
    response?.end(error ?? undefined);
  });
  await page.addInitScript(install);
  await page.goto(`http://localhost:${appPort}/`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("sw.js", { type: "module" });
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) {
      await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
    }
  });

  const workers = await page.context().newCDPSession(page);
  let stopped = 0;
  const running = new Map();
  workers.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
    for (const { versionId, runningStatus } of versions) {
      if (running.get(versionId) && runningStatus === "stopped") stopped += 1;
      running.set(versionId, runningStatus !== "stopped");
    }
  });
  await workers.send("ServiceWorker.enable");

  const edge = createServer(async (request, response) => {
    // A worker never sees these headers: this check is the edge's, and counts for the edge alone.
    const origin = request.headers.origin?.replace(/^https?:\/\//, "");
    if (!LOCAL.test(request.headers.host ?? "") || (origin !== undefined && !LOCAL.test(origin))) {
      return void response.writeHead(403).end();
    }
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const headers = {};
    for (let i = 0; i < request.rawHeaders.length; i += 2) {
      const name = request.rawHeaders[i].toLowerCase();
      const value = request.rawHeaders[i + 1].trim();
      if (!OURS.test(name)) headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
    }
    const id = ++last;
    waiting.set(id, response);
    response.on("close", () => {
      waiting.delete(id);
      page.evaluate((id) => globalThis.mcpAbort(id), id).catch(() => {});
    });
    const body = pieces.length ? Buffer.concat(pieces).toString() : null;
    page.evaluate(([id, method, headers, body]) => void globalThis.mcpCall(id, method, headers, body), [id, request.method, headers, body])
      .catch((error) => response.headersSent || response.writeHead(502).end(String(error)));
  });
  const bridgePort = await listen(edge, port);
  return {
    url: `http://localhost:${bridgePort}/api/mcp`,
    appUrl: `http://localhost:${appPort}/`,
    network,
    page,
    browser,
    // As the browser stops an idle worker.
    stopWorkers: () => workers.send("ServiceWorker.stopAllWorkers"),
    // How many have been stopped: the command is an experimental one, and could come to do nothing.
    stopped: () => stopped,
    async close() {
      await browser.close();
      for (const server of [edge, files]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}
