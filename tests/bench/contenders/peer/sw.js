// The peer: what a developer would take instead. The official TypeScript MCP server, served per request as
// its guide says, with `idb` in the same service worker. Same tools, same answers, same durability.
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { openDB } from "idb";
import * as z from "zod";
import { created, newTodo, page } from "../data.js";

const opened = openDB("bench-peer", 1, {
  upgrade: (db) => db.createObjectStore("todos", { keyPath: "id" }).createIndex("list", "list"),
});

const Todo = z.object({
  id: z.string(), title: z.string(), notes: z.string(), status: z.enum(["open", "done"]),
  due: z.string().optional(), priority: z.enum(["none", "low", "medium", "high", "urgent"]),
  tags: z.array(z.string()), list: z.string(), order: z.number(), created: z.string(), updated: z.string(),
});
const CREATE = {
  title: "Add to-dos",
  description: "Adds a to-do.",
  inputSchema: z.object({
    title: z.string().min(1), due: z.string().optional(), list: z.string().optional(),
    priority: Todo.shape.priority.optional(), tags: z.array(z.string()).optional(),
  }),
  outputSchema: z.object({
    summary: z.string(), changes: z.array(z.object({ before: Todo.nullable(), after: Todo.nullable() })),
  }),
};
const LIST = {
  title: "List to-dos",
  description: "Lists to-dos, open ones, with filters and pages.",
  inputSchema: z.object({ list: z.string().optional(), limit: z.number().int().min(1).max(200).default(50) }),
  outputSchema: z.object({ items: z.array(Todo), total: z.number(), next_cursor: z.string().optional() }),
};
const said = (output) => ({ content: [{ type: "text", text: JSON.stringify(output) }], structuredContent: output });

function server() {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  server.registerTool("todo_create", CREATE, async (args) => {
    const todo = newTodo(`todo_${crypto.randomUUID()}`, args, performance.now());
    const transaction = (await opened).transaction("todos", "readwrite", { durability: "strict" });
    transaction.store.put(todo);
    transaction.commit();
    await transaction.done;
    return said(created(todo));
  });
  server.registerTool("todo_list", LIST, async ({ list, limit }) => {
    const db = await opened;
    const found = list === undefined ? await db.getAll("todos") : await db.getAllFromIndex("todos", "list", list);
    return said(page(found, limit));
  });
  return server;
}

const handler = createMcpHandler(server);

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (new URL(event.request.url).pathname.endsWith("/api/mcp")) event.respondWith(handler.fetch(event.request));
});
addEventListener("message", () => {}); // a ping
