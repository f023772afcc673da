// The official TypeScript clients against the native host, over stdio and HTTP: the second generation in both protocol versions (as it
// negotiates by default, and "auto"), and the first, which knows the older protocol version only.
//   node node_client.mjs <the program conformance-host> <address of one that runs>
// Does five things over each and prints a line for each; ends with 1 when one went wrong.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as second from "@modelcontextprotocol/client";
import { StdioClientTransport as SecondStdio } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const LIST = "todo://list";
const WAIT_MS = 10_000;
const [program, url] = process.argv.slice(2);
if (!url) {
  console.error("usage: node node_client.mjs <the program conformance-host> <address>");
  process.exit(2);
}

const versionOf = async (name) => JSON.parse(await readFile(new URL(`../node_modules/@modelcontextprotocol/${name}/package.json`, import.meta.url), "utf8")).version;

async function within(what, promise) {
  const late = sleep(WAIT_MS, undefined, { ref: false }).then(() => Promise.reject(new Error(`${what}: not within ${WAIT_MS} ms`)));
  return Promise.race([promise, late]);
}

/** The names of the first generation's methods differ a little; the rest is the same. */
const GENERATIONS = {
  second: {
    make: (mode, heard) => {
      const versionNegotiation = mode === "default" ? {} : { versionNegotiation: { mode } };
      const client = new second.Client({ name: "node-client", version: "1" }, { capabilities: { elicitation: {} }, ...versionNegotiation });
      client.setRequestHandler("elicitation/create", (request) => heard.form(request));
      client.setNotificationHandler("notifications/resources/updated", (notification) => heard.updated(notification));
      return client;
    },
    call: (client, params, options) => client.callTool(params, options),
    stdio: SecondStdio,
    http: second.StreamableHTTPClientTransport,
  },
  first: {
    make: (_, heard) => {
      const client = new FirstClient({ name: "node-client", version: "1" }, { capabilities: { elicitation: {} } });
      client.setRequestHandler(ElicitRequestSchema, (request) => heard.form(request));
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, (notification) => heard.updated(notification));
      return client;
    },
    call: (client, params, options) => client.callTool(params, undefined, options),
    stdio: FirstStdio,
    http: FirstHttp,
  },
};

const THINGS = {
  list: async ({ client }) => {
    const [{ tools }, { resources }, { prompts }] = [await client.listTools(), await client.listResources(), await client.listPrompts()];
    assert(tools.some(({ name }) => name === "todo_create") && tools.some(({ name }) => name === "test_simple_text"));
    assert(resources.some(({ uri }) => uri === LIST));
    return `${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts`;
  },
  "call with progress": async ({ call }) => {
    const told = [];
    const result = await call({ name: "test_tool_with_progress", arguments: {} }, { onprogress: ({ progress, total }) => told.push([progress, total]) });
    assert.equal(result.content[0].text, "Done, with progress");
    assert.deepEqual(told, [[0, 100], [50, 100], [100, 100]]);
    return `${told.length} notifications`;
  },
  elicit: async ({ call, forms }) => {
    const result = await call({ name: "test_input_required_result_elicitation", arguments: {} });
    assert.equal(result.content[0].text, "Hello, Ada!");
    assert.deepEqual(forms, ["What is your name?"]);
    return result.content[0].text;
  },
  subscribe: async ({ client, call, isModern, updates }) => {
    const stream = isModern ? await client.listen({ resourceSubscriptions: [LIST] }) : undefined;
    if (!isModern) await client.subscribeResource({ uri: LIST });
    assert(!(await call({ name: "todo_create", arguments: { title: "from Node" } })).isError);
    await within("the update", updates.next(LIST));
    if (isModern) await stream.close();
    else await client.unsubscribeResource({ uri: LIST });
    const { contents } = await client.readResource({ uri: LIST });
    assert(contents[0].text.includes("from Node"));
    return `${LIST} was updated`;
  },
  cancel: async ({ call }) => {
    const giveUp = new AbortController();
    const called = call({ name: "test_slow_write", arguments: {} }, { signal: giveUp.signal, onprogress: () => giveUp.abort("enough") });
    await within("the end of the call", assert.rejects(called));
    // Two seconds after it began it would have written.
    await sleep(2_500);
    const found = await call({ name: "todo_list", arguments: {} });
    assert(!found.content[0].text.includes("written by test_slow_write"), "the call went on");
    return "nothing was written";
  },
};

function listener() {
  const seen = new Set();
  let wake = () => {};
  return {
    add: (uri) => {
      seen.add(uri);
      wake();
    },
    next: async (uri) => {
      while (!seen.has(uri)) await new Promise((resolve) => (wake = resolve));
    },
  };
}

let wrong = 0;
async function run(name, generation, mode) {
  for (const kind of ["stdio", "http"]) {
    const forms = [];
    const updates = listener();
    const heard = {
      form: ({ params }) => {
        forms.push(params.message);
        return { action: "accept", content: { name: "Ada" } };
      },
      updated: ({ params }) => updates.add(params.uri),
    };
    const { make, call, stdio: Stdio, http: Http } = GENERATIONS[generation];
    const folder = await mkdtemp(join(tmpdir(), "node-client-"));
    const transport = kind === "stdio" ? new Stdio({ command: program, args: [folder, "--stdio"], stderr: "inherit" }) : new Http(new URL(url));
    const client = make(mode, heard);
    try {
      await within("the handshake", client.connect(transport));
      const isModern = client.getNegotiatedProtocolVersion?.() === "2026-07-28";
      assert.equal(isModern, mode === "auto", "the era that was negotiated");
      for (const [thing, act] of Object.entries(THINGS)) {
        const how = `${name}  ${mode} (${isModern ? "2026-07-28" : "2025-11-25"})  ${kind}  ${thing}`;
        try {
          console.log(`ok      ${how}: ${await act({ client, call: (...rest) => call(client, ...rest), isModern, forms, updates })}`);
        } catch (error) {
          wrong += 1;
          console.log(`FAILED  ${how}: ${error.stack ?? error}`);
        }
      }
    } catch (error) {
      wrong += 1;
      console.log(`FAILED  ${name}  ${mode}  ${kind}: ${error.stack ?? error}`);
    }
    await client.close().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

const [secondVersion, firstVersion] = [await versionOf("client"), await versionOf("sdk")];
await run(`TypeScript client ${secondVersion}`, "second", "auto");
await run(`TypeScript client ${secondVersion}`, "second", "default");
await run(`TypeScript sdk ${firstVersion}`, "first", "default");
process.exit(wrong ? 1 : 0);
