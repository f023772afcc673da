// The official TypeScript server in this process, asked line by line for rounds of requests: first a line with the
// tools, the to-dos and the requests, then for each line "<milliseconds> all" its requests per second.
import { createInterface } from "node:readline";
import { McpServer, ResourceTemplate, createMcpHandler, fromJsonSchema } from "@modelcontextprotocol/server";
import { byDue } from "../data.js";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const setting = JSON.parse((await lines.next()).value);
const todos = new Map(setting.todos.map((todo) => [todo.id, todo]));
const said = (output) => ({ content: [{ type: "text", text: JSON.stringify(output) }], structuredContent: output });

const work = {
  todo_list: ({ limit }) => {
    const open = [...todos.values()].filter((todo) => todo.status === "open").sort(byDue);
    const more = open.length > limit ? { next_cursor: `{"sort":"due","id":"${open[limit - 1].id}"}` } : {};
    return said({ items: open.slice(0, limit), total: open.length, ...more });
  },
  todo_update: ({ id, priority }) => {
    const before = todos.get(id);
    const after = { ...before, priority, updated: new Date().toISOString() };
    todos.set(id, after);
    return said({ summary: `Changed “${after.title}”.`, changes: [{ before, after }] });
  },
};

// Made once, as an application would: a server is made for each request.
const tools = setting.tools.map(({ name, title, description, annotations, _meta, inputSchema, outputSchema }) => ({
  name,
  config: {
    title, description, annotations, _meta,
    inputSchema: fromJsonSchema(inputSchema),
    outputSchema: outputSchema && fromJsonSchema(outputSchema),
  },
  run: work[name] ?? (() => ({ content: [] })),
}));
const item = new ResourceTemplate("todo://item/{id}", { list: undefined });

function server() {
  const server = new McpServer({ name: "peer", title: "Peer", version: "1.0.0" }, { instructions: "To-dos in memory." });
  for (const { name, config, run } of tools) server.registerTool(name, config, async (args) => run(args));
  server.registerResource("todo", item, { title: "A to-do", mimeType: "application/json" }, async (uri, { id }) => ({
    contents: [{ uri: uri.href, mimeType: "application/json", text: JSON.stringify(todos.get(id)) }],
  }));
  return server;
}

const handler = createMcpHandler(server);
const request = ({ headers, body }) => new Request("http://localhost/mcp", { method: "POST", headers, body });

for (const one of setting.requests) {
  const response = await handler.fetch(request(one));
  const text = await response.text();
  const answer = JSON.parse(text);
  if (response.status !== 200 || !answer.result || answer.result.isError) throw new Error(`${one.body}: ${response.status} ${text}`);
}
console.log("ready");

for await (const line of lines) {
  const round_ms = Number.parseInt(line, 10);
  let [count, taken_ms] = [0, 0];
  while (taken_ms < round_ms) {
    const pass = setting.requests.map(request);
    const start = performance.now();
    for (const one of pass) await (await handler.fetch(one)).text();
    taken_ms += performance.now() - start;
    count += pass.length;
  }
  console.log((count / taken_ms) * 1000);
}
