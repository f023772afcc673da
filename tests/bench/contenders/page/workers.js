// A client of a service worker that lives under a scope of its own: by fetch through a frame that the worker
// controls, and by port. Ours, the floor and the peer are called with the same bytes.

const VERSION = "2026-07-28";
const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": VERSION,
  "mcp-method": "tools/call",
};
const SCRIPTS = { satchel: { scope: "/app/", type: "module" }, floor: { scope: "/floor/" }, peer: { scope: "/peer/" } };

// Above any version of the port that there is: a worker of another version says so.
const PORT_VERSIONS = 32;

let calls = 0;

const meta = (more) => ({
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  ...more,
});

function request(tool, args, key) {
  const _meta = meta(key && { "dev.satchel/key": key });
  calls += 1;
  return JSON.stringify({ jsonrpc: "2.0", id: calls, method: "tools/call", params: { name: tool, arguments: args, _meta } });
}

// The tool's output. A call that fails ends the whole run: its time would mean nothing.
function output(text) {
  const { result, error } = JSON.parse(text);
  if (error || result.isError) throw new Error(`the call failed: ${text.slice(0, 500)}`);
  return result.structuredContent;
}

export class Worker {
  static async start(name) {
    const worker = new Worker();
    const { scope, type = "classic" } = SCRIPTS[name];
    worker.name = name;
    worker.scope = scope;
    const registration = await navigator.serviceWorker.register(`${scope}sw.js`, { scope, type, updateViaCache: "none" });
    while (registration.active?.state !== "activated") await new Promise((resolve) => setTimeout(resolve, 20));
    worker.registration = registration;
    const frame = document.createElement("iframe");
    frame.src = `${scope}frame.html`;
    const loaded = new Promise((resolve) => (frame.onload = resolve));
    document.body.append(frame);
    await loaded;
    worker.window = frame.contentWindow;
    while (!worker.window.navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20));
    return worker;
  }

  // One tool call by fetch, as a foreign client makes it: no key, the answer parsed.
  async fetch(tool, args) {
    const headers = { ...HEADERS, "mcp-name": tool };
    const response = await this.window.fetch(`${this.scope}api/mcp`, { method: "POST", headers, body: request(tool, args) });
    const text = await response.text();
    this.bytes = text.length;
    return output(text);
  }

  // A request that is refused, with this status.
  async refused(headers, status) {
    const options = { method: "POST", headers: { ...HEADERS, ...headers }, body: request("todo_list", {}) };
    const response = await this.window.fetch(`${this.scope}api/mcp`, options);
    await response.text();
    if (response.status !== status) throw new Error(`refused with ${response.status}, not ${status}`);
  }

  async echo(body) {
    const response = await this.window.fetch(`${this.scope}api/echo`, { method: "POST", headers: HEADERS, body });
    return response.text();
  }

  // Opens the port; the worker's greeting says that it is served.
  async connect() {
    for (let version = 1; version <= PORT_VERSIONS; version++) {
      const { port1, port2 } = new MessageChannel();
      this.waiting = new Map();
      const greeting = new Promise((resolve) => (this.greet = resolve));
      port1.onmessage = ({ data }) => {
        if (typeof data === "string") return this.greet(JSON.parse(data));
        this.waiting.get(data.id)(data);
        this.waiting.delete(data.id);
      };
      this.registration.active.postMessage({ satchel: "port", version }, [port2]);
      const { hello } = await greeting;
      if (hello) return void (this.channel = port1);
    }
    throw new Error("the worker takes no version of the port");
  }

  // One frame and its answer.
  ask(frame) {
    calls += 1;
    const answered = new Promise((resolve) => this.waiting.set(calls, resolve));
    this.channel.postMessage({ id: calls, ...frame });
    return answered;
  }

  // One tool call by port, as our page makes it: with the headers, and a key where it writes.
  async port(tool, args, { key = tool !== "todo_list" } = {}) {
    const body = request(tool, args, key ? crypto.randomUUID() : undefined);
    const answer = await this.ask({ headers: JSON.stringify({ ...HEADERS, "mcp-name": tool }), body });
    this.bytes = answer.body.length;
    return output(answer.body);
  }

  // Whether the worker has a tool.
  async has(tool) {
    const headers = JSON.stringify({ ...HEADERS, "mcp-method": "tools/list" });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "tools/list", params: { _meta: meta() } });
    const answer = await this.ask({ headers, body });
    return JSON.parse(answer.body).result.tools.some(({ name }) => name === tool);
  }

  echoByPort = (body) => this.ask({ echo: true, body });

  // Keeps the worker awake: traffic on a port does not.
  ping() {
    this.registration.active.postMessage({ satchel: "ping" });
  }
}

const PING_MS = 5_000;

// Keeps workers awake over a long row; call it between rounds.
export function keepAwake(workers) {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < PING_MS) return;
    last = performance.now();
    workers.forEach((worker) => worker.ping());
  };
}
