// The floor: a service worker that does the same work by hand, with nothing in between. JSON-RPC by fetch
// and by port, raw IndexedDB with strict durability, an answer of the same shape and size. It checks only
// what it needs to do its work.
import { created, newTodo, page } from "../data.js";

const promised = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open() {
  const request = indexedDB.open("bench-floor", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("todos", { keyPath: "id" }).createIndex("list", "list");
  return promised(request);
}

const opened = open(); // at the start, beside everything else

// Done when the transaction is complete: only then is it stored.
async function write(issue) {
  const transaction = (await opened).transaction("todos", "readwrite", { durability: "strict" });
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  issue(transaction.objectStore("todos"));
  transaction.commit();
  await done;
}

const store = async () => (await opened).transaction("todos").objectStore("todos");

const TOOLS = {
  async todo_create(args) {
    if (typeof args.title !== "string" || args.title.trim() === "") throw new Error("A to-do needs a title.");
    const todo = newTodo(`todo_${crypto.randomUUID()}`, args, performance.now());
    await write((todos) => todos.put(todo));
    return created(todo);
  },
  async todo_list({ list, limit = 50 }) {
    const todos = await store();
    return page(await promised(list === undefined ? todos.getAll() : todos.index("list").getAll(list)), limit);
  },
  // Not a tool: bulk puts in one transaction, as fast as the browser's own interface can.
  async import({ text }) {
    const todos = JSON.parse(text);
    await write((all) => todos.forEach((todo) => all.put(todo)));
    return { imported: todos.length };
  },
  async clear() {
    await write((all) => all.clear());
    return {};
  },
};

async function answer(body) {
  const { id, method, params } = JSON.parse(body);
  const tool = method === "tools/call" ? TOOLS[params.name] : undefined;
  if (!tool) return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
  try {
    const output = await tool(params.arguments);
    const content = [{ type: "text", text: JSON.stringify(output) }];
    return JSON.stringify({ jsonrpc: "2.0", id, result: { content, structuredContent: output, resultType: "complete" } });
  } catch (error) {
    return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message: String(error) } });
  }
}

const headers = { "content-type": "application/json" };

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  const reply = async (make) => new Response(await make(await event.request.text()), { headers });
  if (pathname.endsWith("/api/mcp")) event.respondWith(reply(answer));
  if (pathname.endsWith("/api/echo")) event.respondWith(reply((body) => body));
});
addEventListener("message", (event) => {
  const [port] = event.ports;
  if (!port) return; // a ping
  port.onmessage = async ({ data }) => {
    const { id, echo, body } = data;
    port.postMessage({ id, status: 200, body: echo ? body : await answer(body) });
  };
  port.postMessage(JSON.stringify({ hello: {} }));
});
