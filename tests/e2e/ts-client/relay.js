// The official clients in Node, through the gateway's relay, on the data in a browser:
//   node relay.js <address> <token>
// Reads, and writes two to-dos a client that the person in the browser has to allow. Prints what each did, as JSON.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const [url, token] = process.argv.slice(2);
const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
const LIST = "todo://list";

function second(mode) {
  const client = new Client({ name: "node", version: "1" }, mode ? { versionNegotiation: { mode } } : {});
  return {
    client,
    transport: new StreamableHTTPClientTransport(new URL(url), options),
    call: (params, more) => client.callTool(params, more),
    listen: (heard) => client.setNotificationHandler("notifications/resources/updated", heard),
    subscribe: () => (mode ? client.listen({ resourceSubscriptions: [LIST] }) : client.subscribeResource({ uri: LIST })),
  };
}

function first() {
  const client = new FirstClient({ name: "node", version: "1" });
  return {
    client,
    transport: new FirstTransport(new URL(url), options),
    call: (params, more) => client.callTool(params, undefined, more),
    listen: (heard) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, heard),
    subscribe: () => client.subscribeResource({ uri: LIST }),
  };
}

const done = [];
for (const [name, make] of [["auto", () => second("auto")], ["default", () => second()], ["first", first]]) {
  const { client, transport, call, listen, subscribe } = make();
  let told;
  const updated = new Promise((resolve) => (told = resolve));
  listen(({ params }) => told(params.uri));
  await client.connect(transport);
  const { tools } = await client.listTools();
  const progress = [];
  await call({ name: "todo_list", arguments: {} }, { onprogress: (step) => progress.push(step.progress) });
  await subscribe();
  const written = await call({ name: "todo_create", arguments: { title: `From Node, ${name}` } });
  const uri = await updated;
  // Given up while the person is asked: nothing of it is done.
  const giveUp = new AbortController();
  setTimeout(() => giveUp.abort("enough"), 1_500);
  const cancelled = await call({ name: "todo_create", arguments: { title: "Never" } }, { signal: giveUp.signal, onprogress: () => {} }).then(
    () => false,
    () => true,
  );
  done.push({ name, tools: tools.length, progress, title: written.structuredContent.changes[0].after.title, uri, cancelled });
  await client.close();
}
console.log(JSON.stringify(done));
