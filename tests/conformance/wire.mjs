// MCP by hand over plain HTTP: what goes out is exactly what a check says, and nothing waits for ever.
import { request as httpRequest } from "node:http";

export const MODERN = "2026-07-28";
export const LEGACY = "2025-11-25";
export const VERSION = "io.modelcontextprotocol/protocolVersion";
export const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
export const CLIENT = "io.modelcontextprotocol/clientInfo";
export const SERVER = "io.modelcontextprotocol/serverInfo";
export const LOG_LEVEL = "io.modelcontextprotocol/logLevel";
export const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
export const TASKS = "io.modelcontextprotocol/tasks";
export const KEY = "dev.satchel/key";
export const KNOWS_TASKS = { extensions: { [TASKS]: {} } };
export const BOTH = "application/json, text/event-stream";

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// So long an answer may take. The slowest machine that runs this has two busy cores.
const PATIENCE_MS = 15_000;

export function within(promise, ms, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing after ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// One HTTP answer: read whole, or event by event.
class Answer {
  #request;
  #pieces = [];
  #text = "";
  #queue = [];
  #waiting;
  #over;

  constructor(request, response) {
    this.#request = request;
    this.status = response.statusCode;
    this.headers = response.headers;
    this.isStream = /^text\/event-stream/.test(response.headers["content-type"] ?? "");
    this.isBroken = false;
    this.#over = new Promise((resolve) => {
      const end = (isBroken) => {
        if (this.isOver) return;
        this.isBroken = isBroken;
        this.isOver = true;
        this.#waiting?.();
        resolve();
      };
      response.on("data", (piece) => this.#take(piece));
      response.on("end", () => end(false));
      response.on("close", () => end(!response.complete));
      response.on("error", () => end(true));
    });
  }

  #take(piece) {
    this.#pieces.push(piece);
    if (!this.isStream) return;
    this.#text += piece.toString("latin1");
    for (let at; (at = this.#text.search(/\r?\n\r?\n/)) >= 0; ) {
      const block = Buffer.from(this.#text.slice(0, at), "latin1").toString();
      this.#text = this.#text.slice(at).replace(/^\r?\n\r?\n/, "");
      const event = { fields: [], data: "" };
      for (const line of block.split(/\r?\n/)) {
        if (line === "" || line.startsWith(":")) continue; // a comment, to keep the connection alive
        const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line);
        event.fields.push(name);
        if (name === "data") event.data += value;
      }
      if (!event.fields.length) continue;
      event.message = JSON.parse(event.data);
      this.#queue.push(event);
      this.#waiting?.();
    }
  }

  // The next event's message; undefined at the end.
  async next(ms = PATIENCE_MS) {
    return (await this.nextEvent(ms))?.message;
  }

  async nextEvent(ms = PATIENCE_MS) {
    const until = Date.now() + ms;
    while (!this.#queue.length && !this.isOver) {
      const more = new Promise((resolve) => (this.#waiting = resolve));
      await within(more, Math.max(1, until - Date.now()), "the next event");
    }
    return this.#queue.shift();
  }

  // Whatever comes within this time, until `enough` says so.
  async during(ms, enough = () => false) {
    const [found, until] = [[], Date.now() + ms];
    try {
      for (let message; (message = await this.next(Math.max(1, until - Date.now()))); ) {
        found.push(message);
        if (enough(message)) break;
      }
    } catch {
      // The time is over.
    }
    return found;
  }

  // Every message to the end.
  async all(ms = PATIENCE_MS) {
    const [found, until] = [[], Date.now() + ms];
    for (let message; (message = await this.next(Math.max(1, until - Date.now()))); ) found.push(message);
    return found;
  }

  async text(ms = PATIENCE_MS) {
    await within(this.#over, ms, "the end of the answer");
    if (this.isBroken) throw new Error("the answer broke off");
    return Buffer.concat(this.#pieces).toString();
  }

  async json() {
    const text = await this.text();
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  abort() {
    this.#request.destroy();
  }
}

// One request, as given.
export function send(url, { method = "POST", headers = {}, body, wait = PATIENCE_MS } = {}) {
  let request;
  const answer = new Promise((resolve, reject) => {
    // A connection of its own, so that aborting it touches nothing else.
    request = httpRequest(url, { method, headers, agent: false }, (response) => resolve(new Answer(request, response)));
    request.on("error", reject);
    request.end(body);
  });
  return within(answer, wait, `${method} ${headers["mcp-method"] ?? ""}`).catch((error) => {
    request.destroy();
    throw error;
  });
}

// Headers with others in their place; null takes one away. The name may come in another case.
function changed(headers, others) {
  const out = { ...headers };
  for (const [name, value] of Object.entries(others)) {
    delete out[name.toLowerCase()];
    if (value !== null) out[name] = value;
  }
  return out;
}

const without = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

export const coded = (text) => `=?base64?${Buffer.from(text).toString("base64")}?=`;

let last = 0;

export const newId = () => ++last;

// The `_meta` of a modern request; undefined takes a field away.
export const metaOf = (capabilities = {}, more = {}) =>
  without({ [VERSION]: MODERN, [CAPABILITIES]: capabilities, [CLIENT]: { name: "checks", version: "1.0.0" }, ...more });

// A modern request, with what its headers repeat.
export function modernRequest(method, params = {}, { id = newId(), caps, meta, headers = {}, accept = BOTH } = {}) {
  const body = { jsonrpc: "2.0", id, method, params: { ...params, _meta: metaOf(caps, meta) } };
  const name = { "tools/call": params.name, "prompts/get": params.name, "resources/read": params.uri }[method] ?? params.taskId;
  const repeated = without({
    "content-type": "application/json",
    accept,
    "mcp-protocol-version": MODERN,
    "mcp-method": method,
    "mcp-name": /[^\x20-\x7e]/.test(name ?? "") ? coded(name) : name,
  });
  return { id, headers: changed(repeated, headers), body };
}

// An answer as its parts, a stream read to its end: `message` is the last one.
async function whole(answer, id, wait) {
  const { status, headers } = answer;
  if (answer.isStream) {
    const messages = await answer.all(wait);
    const message = messages.at(-1);
    if (answer.isBroken || message?.id !== id) throw new Error("the stream broke off");
    return { status, headers, id, message, notices: messages.slice(0, -1), result: message.result, error: message.error };
  }
  const message = await answer.json();
  return { status, headers, id, message, notices: [], result: message?.result, error: message?.error };
}

export class Modern {
  constructor(url) {
    this.url = url;
  }

  // The answer as it comes.
  async open(method, params, options = {}) {
    const { id, headers, body } = modernRequest(method, params, options);
    const answer = await send(this.url, { headers, body: JSON.stringify(body), wait: options.wait });
    answer.id = id;
    return answer;
  }

  async ask(method, params, options = {}) {
    const answer = await this.open(method, params, options);
    return whole(answer, answer.id, options.wait ?? PATIENCE_MS);
  }

  call(name, args = {}, options = {}) {
    return this.ask("tools/call", { name, arguments: args, ...options.params }, options);
  }

  // Which of the open to-dos have a title that begins so: by title, how often.
  async titles(prefix) {
    const found = new Map();
    for (let cursor, page = 0; page === 0 || cursor; page++) {
      const { result } = await this.call("todo_list", without({ status: "all", limit: 200, cursor }));
      const { items, next_cursor } = result.structuredContent;
      for (const { title } of items) {
        if (title.startsWith(prefix)) found.set(title, (found.get(title) ?? 0) + 1);
      }
      cursor = next_cursor;
    }
    return found;
  }
}

// A session of the older revisions.
export class Session {
  constructor(url, version = LEGACY) {
    Object.assign(this, { url, version, id: undefined });
  }

  static async begin(url, capabilities = {}, version = LEGACY) {
    const session = new Session(url, version);
    const params = { protocolVersion: version, capabilities, clientInfo: { name: "checks", version: "1.0.0" } };
    const answer = await session.open("initialize", params);
    session.id = answer.headers["mcp-session-id"];
    session.begun = (await whole(answer, answer.id)).result;
    await session.notify("notifications/initialized");
    return session;
  }

  headers(more = {}) {
    const session = this.id === undefined ? {} : { "mcp-session-id": this.id, "mcp-protocol-version": this.version };
    return changed({ "content-type": "application/json", accept: BOTH, ...session }, more);
  }

  async open(method, params = {}, { id = newId(), headers = {}, wait } = {}) {
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const answer = await send(this.url, { headers: this.headers(headers), body, wait });
    answer.id = id;
    return answer;
  }

  async ask(method, params, options = {}) {
    const answer = await this.open(method, params, options);
    return whole(answer, answer.id, options.wait ?? PATIENCE_MS);
  }

  call(name, args = {}, { token, key, ...options } = {}) {
    const meta = without({ progressToken: token, [KEY]: key });
    return this.ask("tools/call", { name, arguments: args, _meta: meta }, options);
  }

  async post(message) {
    const answer = await send(this.url, { headers: this.headers(), body: JSON.stringify({ jsonrpc: "2.0", ...message }) });
    await answer.text();
    return answer;
  }

  notify(method, params = {}) {
    return this.post({ method, params });
  }

  // Our answer to what was asked.
  answer(id, result) {
    return this.post({ id, result });
  }

  // The session's stream.
  listen(headers = {}) {
    return send(this.url, { method: "GET", headers: this.headers({ "content-type": null, accept: "text/event-stream", ...headers }) });
  }

  end() {
    return send(this.url, { method: "DELETE", headers: this.headers({ "content-type": null }) });
  }
}
