// The official clients, each doing what a client does: list, call with progress, elicit, subscribe, cancel. Runs in Node
// and, bundled, in a page.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const WHO = { name: "checks", version: "1.0.0" };
const ABLE = { elicitation: { form: {} } };
const LIST = "todo://list";
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// One shape over the three of them.
export const KINDS = {
  "client 2.4.0, auto": () => current({ mode: "auto" }),
  "client 2.4.0, default": () => current(undefined),
  "sdk 1.32.2": old,
};

function current(versionNegotiation) {
  const client = new Client(WHO, { capabilities: ABLE, ...(versionNegotiation && { versionNegotiation }) });
  const isModern = () => client.getProtocolEra?.() === "modern";
  return {
    client,
    connect: (url) => client.connect(new StreamableHTTPClientTransport(new URL(url))),
    onElicit: (answer) => client.setRequestHandler("elicitation/create", answer),
    onUpdated: (hear) => client.setNotificationHandler("notifications/resources/updated", hear),
    call: (params, options) => client.callTool(params, options),
    async subscribe() {
      if (!isModern()) {
        const subscribed = await client.subscribeResource({ uri: LIST });
        return { subscribed, end: () => client.unsubscribeResource({ uri: LIST }) };
      }
      const listening = await client.listen({ resourceSubscriptions: [LIST] });
      return { honoured: listening.honoredFilter, end: () => listening.close() };
    },
    era: () => client.getNegotiatedProtocolVersion?.() ?? null,
  };
}

function old() {
  const client = new OldClient(WHO, { capabilities: ABLE });
  let transport;
  return {
    client,
    connect: (url) => client.connect((transport = new OldTransport(new URL(url)))),
    onElicit: (answer) => client.setRequestHandler(ElicitRequestSchema, answer),
    onUpdated: (hear) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, hear),
    call: (params, options) => client.callTool(params, undefined, options),
    async subscribe() {
      const subscribed = await client.subscribeResource({ uri: LIST });
      return { subscribed, end: () => client.unsubscribeResource({ uri: LIST }) };
    },
    era: () => transport.protocolVersion ?? null,
  };
}

// What came of everything, for the checks to look at. `name` makes its to-dos its own.
export async function drive(url, kind, name) {
  const one = KINDS[kind]();
  const { client } = one;
  const [asked, updated, progress] = [[], [], []];
  one.onElicit(async ({ params }) => {
    asked.push(params.message);
    const content = params.requestedSchema.properties.approve ? { approve: true } : { username: "ada", email: "ada@example.com" };
    return { action: "accept", content };
  });
  one.onUpdated(({ params }) => void updated.push(params.uri));
  await one.connect(url);

  const listed = await client.listTools();
  const resources = await client.listResources();
  const prompts = await client.listPrompts();

  const progressed = await one.call(
    { name: "test_tool_with_progress", arguments: {} },
    { onprogress: ({ progress: done }) => void progress.push(done) },
  );

  const elicited = await one.call({ name: "test_elicitation", arguments: { message: "Who are you?" } });

  const subscription = await one.subscribe();
  const created = await one.call({ name: "todo_create", arguments: { title: `${name}, added` } });
  for (let left = 100; left > 0 && !updated.includes(LIST); left--) await sleep(50);
  await subscription.end();

  // A real tool that asks before it deletes.
  const { id } = created.structuredContent.changes[0].after;
  const deleted = await one.call({ name: "todo_delete", arguments: { id } });

  const abort = new AbortController();
  const cancelled = await one
    .call(
      { name: "test_slow_write", arguments: { title: `${name}, cancelled`, ms: 600 } },
      { signal: abort.signal, onprogress: () => abort.abort("no longer wanted") },
    )
    .then(() => "answered", () => "cancelled");
  await sleep(900);
  const left = await one.call({ name: "todo_list", arguments: { status: "all", text: name, limit: 200 } });

  const outcome = {
    version: one.era(),
    tools: listed.tools.length,
    resources: resources.resources.map((resource) => resource.uri),
    prompts: prompts.prompts.length,
    progress,
    progressed: progressed.content?.[0]?.text,
    asked,
    elicited: elicited.content?.[0]?.text,
    subscribed: subscription.subscribed ?? null,
    honoured: subscription.honoured ?? null,
    updated,
    deleted: deleted.structuredContent?.summary ?? deleted.content?.[0]?.text,
    cancelled,
    left: left.structuredContent.items.map((item) => item.title),
  };
  await client.close();
  return outcome;
}
