// What most servers get wrong, fifteen checks, each against the worker in Chromium and against the host on this machine.
//   node checks.mjs worker <folder of the app> [numbers]     node checks.mjs http <path of conformance-host> [numbers]
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { build } from "esbuild";
import { drive, KINDS } from "./clients.js";
import { host } from "./hosts.mjs";
import {
  BOTH, CAPABILITIES, CLIENT, coded, KEY, KNOWS_TASKS, LEGACY, LOG_LEVEL, metaOf, MODERN, Modern, modernRequest, newId, send,
  SERVER, Session, sleep, SUBSCRIPTION, VERSION, within,
} from "./wire.mjs";

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const FORMS = { elicitation: {} };
const LIST = "todo://list";
const text = (result) => result?.content?.[0]?.text ?? "";

// Collects what holds and what does not: one fault does not hide the next.
class Told {
  count = 0;
  faults = [];

  #try(message, assertion) {
    this.count += 1;
    try {
      assertion();
    } catch (error) {
      const detail = error.generatedMessage === false ? "" : error.message.split("\n").slice(0, 12).join("\n      ");
      this.faults.push(`${message}${detail && `\n      ${detail}`}`);
    }
  }

  equal(actual, expected, message) {
    this.#try(message, () => assert.deepEqual(actual, expected));
  }

  ok(value, message) {
    this.#try(message, () => assert.ok(value));
  }

  // An error by its status and code, with the request's id.
  refused(answer, status, code, message) {
    this.equal([answer.status, answer.error?.code], [status, code], `${message}: HTTP ${status} and ${code}`);
    this.equal(answer.message?.id, answer.id, `${message}: the request's id comes back`);
    this.ok(/^application\/json/.test(answer.headers["content-type"] ?? ""), `${message}: the body is JSON`);
    this.equal(answer.result, undefined, `${message}: no result beside the error`);
  }

  fine(answer, message) {
    this.equal([answer.status, answer.error], [200, undefined], `${message}: answered with a result`);
  }
}

const CHECKS = [
  [1, "removed methods", async (told, { modern, url }) => {
    const removed = {
      initialize: { protocolVersion: MODERN, capabilities: {}, clientInfo: { name: "c", version: "1" } },
      ping: {},
      "logging/setLevel": { level: "info" },
      "resources/subscribe": { uri: LIST },
      "resources/unsubscribe": { uri: LIST },
    };
    for (const [method, params] of Object.entries(removed)) {
      told.refused(await modern.ask(method, params), 404, -32601, `${method} with a modern _meta`);
      const named = await modern.ask(method, params, { id: `named-${method}` });
      told.refused(named, 404, -32601, `${method} with an id that is a string`);
    }
    told.refused(await modern.ask("unknown/method"), 404, -32601, "an unknown method");
    told.refused(await modern.ask("tasks/list", {}, { caps: KNOWS_TASKS }), 404, -32601, "tasks/list");
    told.refused(await modern.ask("tasks/result", { taskId: "x" }, { caps: KNOWS_TASKS }), 404, -32601, "tasks/result");
    for (const version of [undefined, LEGACY, MODERN]) {
      const headers = { "content-type": "application/json", accept: BOTH, ...(version && { "mcp-protocol-version": version }) };
      const params = { ...removed.initialize, protocolVersion: LEGACY };
      const answer = await send(url, { headers, body: JSON.stringify({ jsonrpc: "2.0", id: 5, method: "initialize", params }) });
      const { result, id } = await answer.json();
      const what = `initialize without _meta, header ${version ?? "absent"}`;
      told.equal([answer.status, id, result?.protocolVersion], [200, 5, LEGACY], `${what}: a result of the older era`);
      told.ok(isObject(result?.capabilities) && isObject(result?.serverInfo), `${what}: capabilities and serverInfo`);
      told.equal(result?.resultType, undefined, `${what}: no resultType`);
    }
    const asked = await new Session(url).ask("initialize", { ...removed.initialize });
    told.equal(asked.result?.protocolVersion, LEGACY, "initialize for the modern revision: the newest with a handshake");
  }],

  [2, "the _meta gate", async (told, { modern, url }) => {
    const bare = modernRequest("tools/list");
    delete bare.body.params._meta;
    const noMeta = async (body) => {
      const answer = await send(url, { headers: bare.headers, body: JSON.stringify(body) });
      const message = await answer.json();
      return { status: answer.status, headers: answer.headers, id: body.id, message, error: message?.error, result: message?.result };
    };
    told.refused(await noMeta(bare.body), 400, -32602, "no _meta");
    const { params, ...none } = bare.body;
    told.refused(await noMeta(none), 400, -32602, "no params");
    told.refused(await noMeta({ ...none, params: { _meta: "x" } }), 400, -32602, "_meta is no object");
    for (const [name, key] of [["protocolVersion", VERSION], ["clientCapabilities", CAPABILITIES]]) {
      told.refused(await modern.ask("tools/list", {}, { meta: { [key]: undefined } }), 400, -32602, `no ${name}`);
      told.refused(await modern.ask("tools/list", {}, { meta: { [key]: 5 } }), 400, -32602, `${name} is a number`);
      told.refused(await modern.ask("tools/list", {}, { meta: { [key]: null } }), 400, -32602, `${name} is null`);
    }
    told.fine(await modern.ask("tools/list", {}, { meta: { [CLIENT]: undefined } }), "no clientInfo");
    told.fine(await modern.ask("tools/list", {}, { meta: { traceparent: "00-0-0-01", "com.example/x": [1] } }), "more in _meta");
  }],

  [3, "version and header", async (told, { modern }) => {
    const ask = (header, body) =>
      modern.ask("tools/list", {}, { headers: { "mcp-protocol-version": header }, meta: { [VERSION]: body } });
    told.refused(await ask(null, MODERN), 400, -32020, "no header");
    told.refused(await ask(LEGACY, MODERN), 400, -32020, "an older header");
    told.refused(await ask("", MODERN), 400, -32020, "an empty header");
    told.refused(await ask(MODERN, "v999.0.0"), 400, -32020, "another version in the body");
    told.refused(await ask("v999.0.0", MODERN), 400, -32020, "another version in the header");
    const { result } = await modern.ask("server/discover");
    const known = result.supportedVersions;
    told.ok(known.includes(MODERN), "discover names the modern revision");
    for (const version of ["v999.0.0", "2027-01-01"]) {
      const answer = await ask(version, version);
      told.refused(answer, 400, -32022, `${version} in both`);
      told.equal(answer.error?.data?.requested, version, `${version} in both: requested comes back`);
      const supported = answer.error?.data?.supported;
      told.ok(Array.isArray(supported) && supported.length > 0, `${version} in both: supported is a list`);
      told.ok(supported?.every((one) => known.includes(one)), `${version} in both: supported is within discover's`);
    }
    for (const version of known) {
      const answer = await ask(version, version);
      told.fine(answer, `${version}, which discover names`);
    }
  }],

  [4, "Mcp-Method and Mcp-Name", async (told, { modern }) => {
    const call = (headers) => modern.call("greet", { name: "Ada" }, { headers });
    for (const [value, what] of [[null, "missing"], ["tools/list", "wrong"], ["Tools/Call", "in another case"], ["", "empty"]]) {
      told.refused(await call({ "mcp-method": value }), 400, -32020, `Mcp-Method ${what}`);
    }
    for (const [value, what] of [[null, "missing"], ["greeT", "in another case"], ["test_simple_text", "wrong"], ["", "empty"]]) {
      told.refused(await call({ "mcp-name": value }), 400, -32020, `Mcp-Name ${what}`);
    }
    told.fine(await call({ "mcp-METHOD": "tools/call", "MCP-nAmE": "greet" }), "header names in another case");
    told.fine(await call({ "mcp-method": "  tools/call \t", "mcp-name": " greet  " }), "values with white space around them");
    told.fine(await call({ "mcp-name": coded("greet") }), "a coded Mcp-Name");
    told.fine(await call({ "mcp-name": ` ${coded("greet")} ` }), "a coded Mcp-Name with white space around it");
    for (const [value, what] of [
      ["=?base64?Z3JlZXQ?=", "without its padding"],
      ["=?base64?Z3JlZXQ==?=", "with too much padding"],
      ["=?base64?Z3Jl!XQ=?=", "of another alphabet"],
      ["=?base64?Z3Jl ZXQ=?=", "with a space"],
      ["=?base64?Z3JlZXR=?=", "with bits left over"],
      ["=?base64?", "that is no more than its beginning"],
      ["=?BASE64?Z3JlZXQ=?=", "whose mark is in another case"],
      ["=?base64?Z3JlZXQ=", "without its end"],
      [coded("greeT"), "of another name"],
    ]) {
      told.refused(await call({ "mcp-name": value }), 400, -32020, `a coded Mcp-Name ${what}`);
    }
    const uri = "test://template/žluť-日本/data";
    const read = await modern.ask("resources/read", { uri });
    told.fine(read, "resources/read with a coded UTF-8 address");
    told.ok(read.result?.contents?.[0]?.text?.includes("žluť-日本"), "the address came through as it is");
    const others = [
      ["resources/read", { uri: "test://static-text" }],
      ["prompts/get", { name: "test_simple_prompt" }],
    ];
    for (const [method, params] of others) {
      told.fine(await modern.ask(method, params), `${method} with Mcp-Name`);
      told.refused(await modern.ask(method, params, { headers: { "mcp-name": null } }), 400, -32020, `${method} without Mcp-Name`);
      told.refused(await modern.ask(method, params, { headers: { "mcp-name": "x" } }), 400, -32020, `${method}, another Mcp-Name`);
    }
    told.fine(await modern.ask("tools/list", {}), "tools/list needs no Mcp-Name");
    const ref = { type: "ref/prompt", name: "test_prompt_with_arguments" };
    told.fine(await modern.ask("completion/complete", { ref, argument: { name: "arg1", value: "t" } }), "completion needs none");
    const made = await modern.call("slow_compute", { seconds: 0.1, label: "x" }, { caps: KNOWS_TASKS });
    const { taskId } = made.result;
    for (const [method, more] of [["tasks/get", {}], ["tasks/update", { inputResponses: {} }], ["tasks/cancel", {}]]) {
      const ask = (headers) => modern.ask(method, { taskId, ...more }, { caps: KNOWS_TASKS, headers });
      told.refused(await ask({ "mcp-name": null }), 400, -32020, `${method} without Mcp-Name`);
      told.refused(await ask({ "mcp-name": "x" }), 400, -32020, `${method} with another Mcp-Name`);
      told.fine(await ask({}), `${method} with Mcp-Name: taskId`);
    }
    const header = (value, more) => modern.call("test_custom_header", value === undefined ? {} : { value }, { headers: more });
    told.fine(await header("Hello", { "mcp-param-value": "Hello" }), "Mcp-Param, the same");
    told.fine(await header("žluť", { "mcp-param-value": coded("žluť") }), "Mcp-Param, coded");
    told.refused(await header("Hello", {}), 400, -32020, "Mcp-Param missing");
    told.refused(await header("Hello", { "mcp-param-value": "hello" }), 400, -32020, "Mcp-Param, another");
    told.refused(await header("a", { "mcp-param-value": "=?base64?YQ?=" }), 400, -32020, "Mcp-Param without its padding");
  }],

  [5, "resultType, caching, serverInfo", async (told, { modern }) => {
    const items = Array.from({ length: 60 }, (_, i) => ({ title: `page ${i}` }));
    for (const half of [1, 2]) told.fine(await modern.call("todo_create", { items }), `filling, ${half}`);
    const about = (what, result, kind, isCached) => {
      told.equal(result?.resultType, kind, `${what}: resultType`);
      const server = result?._meta?.[SERVER];
      told.ok(server?.name && server?.version, `${what}: serverInfo in _meta`);
      told.equal(result?.serverInfo, undefined, `${what}: serverInfo in the old place`);
      if (isCached) {
        told.ok(Number.isInteger(result?.ttlMs) && result.ttlMs >= 0, `${what}: ttlMs is an integer of 0 or more`);
        told.ok(["public", "private"].includes(result?.cacheScope), `${what}: cacheScope`);
      } else {
        told.equal(result?.cacheScope, undefined, `${what}: no cacheScope`);
        // A task has a ttlMs of its own.
        if (result?.taskId === undefined) told.equal(result?.ttlMs, undefined, `${what}: no ttlMs`);
      }
    };
    const cached = [["server/discover"], ["resources/read", { uri: LIST }], ["resources/read", { uri: "test://static-text" }]];
    for (const [method, params] of cached) about(method, (await modern.ask(method, params)).result, "complete", true);
    const lists = { "tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates" };
    for (const [method, field] of Object.entries(lists)) {
      const [scopes, found] = [new Set(), []];
      let pages = 0;
      for (let cursor; pages === 0 || cursor !== undefined; pages++) {
        const { result } = await modern.ask(method, cursor === undefined ? {} : { cursor });
        about(`${method}, page ${pages + 1}`, result, "complete", true);
        scopes.add(result.cacheScope);
        found.push(...result[field].map((one) => one.uri ?? one.uriTemplate ?? one.name));
        cursor = result.nextCursor;
        if (pages > 50) break;
      }
      told.equal(scopes.size, 1, `${method}: the same cacheScope on all pages`);
      told.equal(new Set(found).size, found.length, `${method}: nothing twice`);
      if (method === "resources/list") told.ok(pages > 1, "resources/list: there was more than one page to look at");
      told.refused(await modern.ask(method, { cursor: "bm90aGluZw==" }), 200, -32602, `${method}: a cursor of nobody`);
      told.refused(await modern.ask(method, { cursor: 5 }), 200, -32602, `${method}: a cursor that is a number`);
    }
    const plain = [
      ["tools/call", { name: "greet", arguments: { name: "Ada" } }],
      ["tools/call", { name: "todo_list", arguments: {} }],
      ["tools/call", { name: "test_error_handling" }],
      ["tools/call", { name: "test_tool_with_progress" }, { meta: { progressToken: 1 } }],
      ["prompts/get", { name: "test_simple_prompt" }],
      ["completion/complete", { ref: { type: "ref/resource", uri: "todo://item/{id}" }, argument: { name: "id", value: "" } }],
    ];
    for (const [method, params, options] of plain) {
      about(`${method} ${params.name ?? ""}`, (await modern.ask(method, params, options)).result, "complete", false);
    }
    const asks = [
      ["tools/call", { name: "test_input_required_result_elicitation" }],
      ["prompts/get", { name: "test_input_required_result_prompt" }],
    ];
    for (const [method, params] of asks) {
      const { result } = await modern.ask(method, params, { caps: FORMS });
      about(`${method} that asks`, result, "input_required", false);
      told.ok(isObject(result?.inputRequests) || typeof result?.requestState === "string", `${method} that asks: something to answer`);
    }
    const caps = { ...KNOWS_TASKS, ...FORMS };
    const { result: made } = await modern.call("multi_input", {}, { caps });
    about("a task that is made", made, "task", false);
    told.ok(Number.isInteger(made?.ttlMs) && Number.isInteger(made?.pollIntervalMs), "a task that is made: its own ttlMs");
    for (const field of ["task", "result", "error", "inputRequests", "requestState"]) {
      told.equal(made?.[field], undefined, `a task that is made has no ${field}`);
    }
    const { taskId } = made;
    for (const [method, more] of [["tasks/get", {}], ["tasks/update", { inputResponses: {} }], ["tasks/cancel", {}], ["tasks/get", {}]]) {
      const { result } = await modern.ask(method, { taskId, ...more }, { caps });
      about(method, result, "complete", false);
    }
    const streamed = await modern.call("todo_create", { title: "streamed" }, { meta: { progressToken: "t" } });
    about("a result at the end of a stream", streamed.result, "complete", false);
  }],

  [6, "a missing capability", async (told, { modern }) => {
    const lacks = (answer, path, what) => {
      told.refused(answer, 400, -32021, what);
      const required = answer.error?.data?.requiredCapabilities;
      told.ok(isObject(required), `${what}: requiredCapabilities is an object`);
      told.ok(isObject(path.reduce((at, name) => at?.[name], required)), `${what}: it names ${path.join(".")}`);
    };
    const sampling = { sampling: {} };
    lacks(await modern.call("test_missing_capability"), ["sampling"], "undeclared sampling");
    told.fine(await modern.call("test_missing_capability", {}, { caps: sampling }), "declared sampling");
    lacks(await modern.call("test_missing_capability"), ["sampling"], "undeclared again after it was declared");
    const asking = (caps) => modern.call("test_input_required_result_elicitation", {}, { caps });
    lacks(await asking({}), ["elicitation"], "undeclared elicitation");
    told.equal((await asking(FORMS)).result?.resultType, "input_required", "declared elicitation is used");
    lacks(await asking({}), ["elicitation"], "undeclared elicitation after it was declared");
    lacks(await asking({ elicitation: { url: {} } }), ["elicitation"], "elicitation by address only");
    told.equal((await asking({ elicitation: { form: {} } })).result?.resultType, "input_required", "elicitation by form is used");
    const extension = ["extensions", "io.modelcontextprotocol/tasks"];
    lacks(await modern.call("failing_job"), extension, "a tool that must be a task");
    lacks(await modern.ask("tasks/get", { taskId: "x" }), extension, "tasks/get");
    lacks(await modern.ask("tasks/update", { taskId: "x", inputResponses: {} }), extension, "tasks/update");
    lacks(await modern.ask("tasks/cancel", { taskId: "x" }), extension, "tasks/cancel");
    const streamed = await modern.call("test_missing_capability", {}, { meta: { progressToken: 1 } });
    lacks(streamed, ["sampling"], "undeclared sampling of a call that could be streamed");
    const legacy = await Session.begin(modern.url);
    const { status, error } = await legacy.call("test_missing_capability");
    told.ok(status === 200 && error && error.code !== -32021, "the code is not used in the older eras");
  }],

  [7, "errors of tools and resources", async (told, { modern, url }) => {
    const rejected = (answer, what) => {
      told.equal([answer.status, answer.error, answer.result?.isError], [200, undefined, true], `${what}: a result with isError`);
      told.ok(text(answer.result).length > 0, `${what}: says in words what is wrong`);
      told.equal(answer.result?.structuredContent, undefined, `${what}: no structured content`);
    };
    const bad = [
      ["todo_create", {}], ["todo_create", { title: 5 }], ["todo_create", { title: "" }], ["todo_create", { title: "x", nonsense: 1 }],
      ["todo_create", { title: "x", due: "someday" }], ["todo_create", { title: "x", priority: "enormous" }], ["todo_get", {}],
      ["todo_get", { id: "todo_nope" }], ["todo_list", { limit: 0 }], ["todo_list", { limit: "ten" }], ["todo_list", { cursor: "x" }],
      ["todo_update", { id: "todo_nope", title: "x" }], ["todo_complete", { id: "todo_nope" }], ["todo_delete", { id: "todo_nope" }],
      ["undo", { last: 99 }], ["history", { limit: -1 }], ["data_export", { format: "pdf" }],
      ["data_import", { format: "json", text: "not JSON" }], ["data_restore", { snapshot: "nope" }], ["data_changes", { since: -1 }],
      ["test_error_handling", {}],
    ];
    for (const [name, args] of bad) rejected(await modern.call(name, args), `${name} ${JSON.stringify(args)}`);
    told.refused(await modern.call("no_such_tool"), 200, -32602, "an unknown tool");
    told.refused(await modern.ask("prompts/get", { name: "no_such_prompt" }), 200, -32602, "an unknown prompt");
    told.refused(await modern.ask("prompts/get", { name: "test_prompt_with_arguments" }), 200, -32602, "a prompt without what it needs");
    const other = { ref: { type: "ref/prompt", name: "no_such_prompt" }, argument: { name: "x", value: "" } };
    told.refused(await modern.ask("completion/complete", other), 200, -32602, "completion for an unknown prompt");
    const caps = { caps: KNOWS_TASKS };
    told.refused(await modern.ask("tasks/get", { taskId: "no-such-task" }, caps), 200, -32602, "an unknown task");
    const session = await Session.begin(url);
    for (const uri of ["todo://item/nope", "todo://nope", "nope://x", "test://nope", "ui://nope", "not an address"]) {
      const answer = await modern.ask("resources/read", { uri });
      told.refused(answer, 200, -32602, `resource ${uri}`);
      told.equal(answer.error?.data?.uri, uri, `resource ${uri}: data.uri`);
      const { status, error, result } = await session.ask("resources/read", { uri });
      told.equal([status, error?.code, result], [200, -32002, undefined], `resource ${uri} in the older eras: -32002`);
    }
    const unknown = await session.call("no_such_tool");
    told.equal([unknown.status, unknown.error?.code], [200, -32602], "an unknown tool in the older eras");
    rejected(await session.call("todo_get", { id: "todo_nope" }), "a handler's failure in the older eras");
    const method = await session.ask("unknown/method");
    told.equal([method.status, method.error?.code], [200, -32601], "an unknown method in the older eras: HTTP 200");
  }],

  [8, "subscriptions/listen", async (told, { modern, endGently }) => {
    const listen = async (id, notifications) => {
      const answer = await modern.open("subscriptions/listen", { notifications }, { id });
      told.equal(answer.status, 200, `listen ${id}: HTTP 200`);
      told.ok(answer.isStream, `listen ${id}: a stream`);
      told.equal(answer.headers["x-accel-buffering"], "no", `listen ${id}: X-Accel-Buffering`);
      const first = await answer.nextEvent();
      told.equal(first.message.method, "notifications/subscriptions/acknowledged", `listen ${id}: the ack comes first`);
      told.equal(first.fields.includes("id"), false, `listen ${id}: no SSE ids`);
      told.equal(first.message.params?._meta?.[SUBSCRIPTION], id, `listen ${id}: the ack has its id`);
      return [answer, first.message.params?.notifications];
    };
    const wish = { toolsListChanged: true, promptsListChanged: false, resourceSubscriptions: [LIST, LIST], sunsetsChanged: true, taskIds: ["x"] };
    const [one, honoured] = await listen(4711, wish);
    told.equal(honoured, { toolsListChanged: true, resourceSubscriptions: [LIST] }, "the ack says what is honoured, and no more");
    const [two, also] = await listen("4711", { promptsListChanged: true, resourcesListChanged: true });
    told.equal(also, { promptsListChanged: true, resourcesListChanged: true }, "the ack of the second");
    const [none, nothing] = await listen("none", {});
    told.equal(nothing, {}, "nothing is asked for, nothing honoured");

    const seen = { one: [], two: [], none: [] };
    const hear = async (ms = 1500, enough) => {
      const [a, b, c] = await Promise.all([one.during(ms, enough?.one), two.during(ms, enough?.two), none.during(300)]);
      seen.one.push(...a);
      seen.two.push(...b);
      seen.none.push(...c);
    };
    const methods = (list) => [...new Set(list.map(({ method }) => method.replace("notifications/", "")))].sort();
    told.fine(await modern.call("test_trigger_tool_change"), "the tools change");
    told.fine(await modern.call("test_trigger_prompt_change"), "the prompts change");
    told.fine(await modern.call("todo_create", { title: "heard of" }), "a to-do is added");
    // None of what others' calls say belongs here.
    told.fine(await modern.call("test_tool_with_progress", {}, { meta: { progressToken: 1, [LOG_LEVEL]: "debug" } }), "progress elsewhere");
    await hear();
    told.equal(methods(seen.one), ["resources/updated", "tools/list_changed"], "the first hears what it asked for, and nothing else");
    told.equal(methods(seen.two), ["prompts/list_changed", "resources/list_changed"], "so does the second");
    told.equal(seen.none, [], "who asked for nothing hears nothing");
    told.equal(seen.one.find(({ method }) => /updated/.test(method))?.params?.uri, LIST, "an update names its resource");
    told.ok(seen.one.every(({ params }) => params?._meta?.[SUBSCRIPTION] === 4711), "every event has the id, a number");
    told.ok(seen.two.every(({ params }) => params?._meta?.[SUBSCRIPTION] === "4711"), "every event has the id, a string");
    told.ok([...seen.one, ...seen.two].every((message) => message.id === undefined), "no requests on the stream");

    one.abort();
    await sleep(200);
    seen.two = [];
    await modern.call("test_trigger_prompt_change");
    seen.two.push(...(await two.during(1500, () => true)));
    told.equal(methods(seen.two), ["prompts/list_changed"], "the second goes on when the first is closed");

    const json = await modern.ask("subscriptions/listen", { notifications: {} }, { accept: "application/json" });
    told.ok(json.error && json.message?.id === json.id, "who reads no streams gets an error");
    const [three] = await listen(9, { toolsListChanged: true });
    await endGently();
    for (const [stream, id] of [[two, "4711"], [three, 9]]) {
      const last = (await stream.all(5000).catch(() => [])).at(-1);
      told.equal([last?.id, last?.result?.resultType], [id, "complete"], `the server ends ${typeof id} ${id}: its result`);
      told.equal(last?.result?._meta?.[SUBSCRIPTION], id, `the server ends ${typeof id} ${id}: with its id`);
      told.ok(stream.isOver && !stream.isBroken, `the server ends ${typeof id} ${id}: the stream is over`);
    }
    const [again] = await listen(10, { toolsListChanged: true });
    await modern.call("test_trigger_tool_change");
    told.equal((await again.next(3000).catch(() => undefined))?.method, "notifications/tools/list_changed", "listening again works");
    again.abort();
  }],

  [9, "questions and their state", async (told, { modern, stop, shiftClock }) => {
    const STATE = "test_input_required_result_request_state";
    const yes = { inputResponses: { confirm: { action: "accept", content: { ok: true } } } };
    const asked = async (name = STATE, args = {}, caps = FORMS) => (await modern.call(name, args, { caps })).result;
    const answered = (requestState, { name = STATE, args = {}, params = yes } = {}) =>
      modern.call(name, args, { caps: FORMS, params: { ...params, requestState } });
    const { requestState: state, resultType } = await asked();
    told.equal([resultType, typeof state], ["input_required", "string"], "a question with a state");
    const good = await answered(state);
    told.equal(good.result?.resultType, "complete", "the state as it is completes");
    told.ok(text(good.result).includes("state-ok"), "the tool has seen its state");
    told.ok((await asked()).requestState !== state, "two states are never the same");

    const flip = (at) => state.slice(0, at) + (state[at] === "A" ? "B" : "A") + state.slice(at + 1);
    const dot = state.indexOf(".");
    const forged = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(state.slice(0, dot), "base64")), state: { asked: 2 } }));
    const bent = {
      "with something behind it": `${state}-TAMPERED`, "cut": state.slice(0, -4), "empty": "", "of nothing": "x",
      "whose payload is another": forged.toString("base64") + state.slice(dot), "without its seal": state.slice(0, dot),
      "twice": `${state}.${state}`, "first letter": flip(0), "middle": flip(dot >> 1), "in the seal": flip(dot + 3), "end": flip(state.length - 3),
    };
    for (const [what, requestState] of Object.entries(bent)) {
      const answer = await answered(requestState);
      told.ok(answer.error && answer.message.id === answer.id, `a state ${what}: an error`);
      told.equal(answer.result, undefined, `a state ${what}: no result`);
    }
    for (const other of [5, {}, []]) told.ok((await answered(other)).error, `a state that is ${JSON.stringify(other)}: an error`);
    told.ok((await answered(state, { name: "test_input_required_result_tampered_state" })).error, "a state of another tool: an error");
    told.ok((await answered(state, { args: { other: 1 } })).error, "a state of other arguments: an error");
    const prompt = { name: "test_input_required_result_prompt", requestState: state };
    told.ok((await modern.ask("prompts/get", prompt, { caps: FORMS })).error, "a state of another method: an error");

    const before = (await asked()).requestState;
    await stop();
    told.equal((await answered(before)).result?.resultType, "complete", "a state outlives a stop");
    const old = (await asked()).requestState;
    await shiftClock(9 * 60_000);
    told.equal((await answered(old)).result?.resultType, "complete", "a state is good for nine minutes");
    await shiftClock(11 * 60_000);
    told.ok((await answered(old)).error, "a state is no good after eleven minutes");
    await shiftClock(0);

    const kinds = (result) => Object.values(result?.inputRequests ?? {}).map(({ method }) => method).sort();
    const CAN = "test_input_required_result_capabilities";
    told.equal(kinds(await asked(CAN, {}, { sampling: {} })), ["sampling/createMessage"], "only what is declared: sampling");
    told.equal(kinds(await asked(CAN, {}, FORMS)), ["elicitation/create"], "only what is declared: elicitation");
    told.equal(kinds(await asked(CAN, {}, { roots: {} })), ["roots/list"], "only what is declared: roots");
    told.equal(kinds(await asked(CAN, {}, { elicitation: { url: {} } })), [], "forms are not asked of who shows none");
    told.equal((await asked(CAN, {}, {})).resultType, "complete", "nothing declared, nothing asked");

    const NAME = "test_input_required_result_elicitation";
    const say = (inputResponses) => modern.call(NAME, {}, { caps: FORMS, params: { inputResponses } });
    const hello = { action: "accept", content: { name: "Ada" } };
    const reasks = {
      "a wrong key": { other: hello }, "no key": {}, "12345": { user_name: 12345 }, "null": { user_name: null }, "a list": { user_name: [hello] },
      "a string": { user_name: "accept" }, "an unknown action": { user_name: { action: "yes" } }, "no content": { user_name: { action: "accept" } },
      "content of another type": { user_name: { action: "accept", content: { name: 5 } } },
      "content without what is required": { user_name: { action: "accept", content: {} } },
    };
    for (const [what, responses] of Object.entries(reasks)) {
      const { result, error } = await say(responses);
      told.ok(error || result?.resultType === "input_required", `${what}: never completes`);
      if (/key/.test(what)) told.equal(Object.keys(result?.inputRequests ?? {}), ["user_name"], `${what}: asks again`);
    }
    for (const responses of [12345, null, [], "x"]) {
      const { result } = await say(responses);
      told.ok(result?.resultType !== "complete", `inputResponses ${JSON.stringify(responses)}: never completes`);
    }
    told.equal(text((await say({ user_name: hello, extra: 5 })).result), "Hello, Ada!", "more keys than asked are ignored");

    const { result: made } = await modern.call("todo_create", { title: "nine, kept" });
    const { id } = made.structuredContent.changes[0].after;
    const remove = async (answer) => {
      const question = await asked("todo_delete", { id });
      told.equal(question.resultType, "input_required", "todo_delete asks first");
      // Its key says which outcome the answer is to.
      const [key] = Object.keys(question.inputRequests);
      const params = { inputResponses: { [key]: answer } };
      return answered(question.requestState, { name: "todo_delete", args: { id }, params });
    };
    const count = async () => (await modern.titles("nine, kept")).get("nine, kept") ?? 0;
    for (const [what, answer] of Object.entries({
      decline: { action: "decline" }, cancel: { action: "cancel" }, "a no": { action: "accept", content: { approve: false } },
      "a decline with a yes in it": { action: "decline", content: { approve: true } }, "a number": 12345, "nothing": null,
    })) {
      const { result } = await remove(answer);
      told.equal(await count(), 1, `${what}: the to-do is still there`);
      told.ok(result?.resultType === "input_required" || result?.isError === true, `${what}: says that nothing was done`);
    }
    // An answer to what was not asked is no approval: the question is sealed with its answer's place.
    told.fine(await remove({ action: "accept", content: { approve: true } }), "a yes");
    told.equal(await count(), 0, "a yes: it is gone");
  }],

  [10, "a disconnect cancels", async (told, { modern, url }) => {
    const waits = async (title) => JSON.parse(text((await modern.call("test_slow_writes")).result)).find((one) => one.title === title);
    const open = await modern.open("tools/call", { name: "test_slow_write", arguments: { title: "ten, gone" } }, { meta: { progressToken: "ten" } });
    told.ok(open.isStream, "a call with a progressToken is a stream");
    told.equal((await open.next())?.method, "notifications/progress", "it has begun");
    await sleep(200);
    open.abort();
    const aborted = Date.now();
    let seen;
    while (!(seen = await waits("ten, gone")) && Date.now() - aborted < 1000) await sleep(50);
    told.ok(seen?.cancelled, "the tool hears of it within a second");
    told.ok(seen?.waitedMs < 1500, `it had waited ${seen?.waitedMs} ms`);

    // What disconnects before it has begun to answer is given up as well, or done as if nobody had gone: never half.
    const session = await Session.begin(url);
    const token = { progressToken: "ten" };
    const left = await session.open("tools/call", { name: "test_slow_write", arguments: { title: "ten, left" }, _meta: token });
    told.ok(left.isStream, "older era: a stream as well");
    await left.next();
    left.abort();
    const id = newId();
    const given = await session.open("tools/call", { name: "test_slow_write", arguments: { title: "ten, given up" }, _meta: token }, { id });
    await given.next();
    const notified = Date.now();
    told.equal((await session.notify("notifications/cancelled", { requestId: id, reason: "test" })).status, 202, "cancelled is taken");
    const rest = await given.all(5000);
    told.ok(Date.now() - notified < 1500, "older era: a cancelled call ends at once");
    told.equal(rest.filter((message) => message.id !== undefined), [], "older era: a cancelled call is not answered");
    const other = await Session.begin(url);
    const foreign = await session.open("tools/call", { name: "test_slow_write", arguments: { title: "ten, not yours" }, _meta: token }, { id: "mine" });
    await foreign.next();
    await other.notify("notifications/cancelled", { requestId: "mine" });
    told.equal((await session.notify("notifications/cancelled", { requestId: "nothing" })).status, 202, "cancelling nothing is taken");
    told.ok((await foreign.all(8000)).at(-1)?.result, "another session cancels nothing of ours");
    const still = await modern.open("tools/call", { name: "test_slow_write", arguments: { title: "ten, notified", ms: 500 } }, { id: "modern-10", meta: token });
    await still.next();
    const { id: _, ...notification } = modernRequest("notifications/cancelled", { requestId: "modern-10" }).body;
    const { headers } = modernRequest("notifications/cancelled");
    told.equal((await send(url, { headers, body: JSON.stringify(notification) })).status, 202, "modern: the notification is taken");
    told.ok((await still.all(5000)).at(-1)?.result, "modern: the notification cancels nothing");

    await sleep(Math.max(0, 3000 - (Date.now() - notified)));
    const titles = await modern.titles("ten,");
    told.equal(titles.get("ten, gone"), undefined, "modern: a disconnect writes nothing later");
    told.equal(titles.get("ten, left"), 1, "older era: a disconnect cancels nothing");
    told.equal(titles.get("ten, given up"), undefined, "older era: notifications/cancelled does");
    told.equal(titles.get("ten, not yours"), 1, "older era: another session's does not");
    told.equal(titles.get("ten, notified"), 1, "modern: the notification does not");
  }],

  [11, "progress and logs", async (told, { modern, url }) => {
    const TOOL = "test_tool_with_progress";
    const check = (notices, token, what) => {
      const progress = notices.filter(({ method }) => method === "notifications/progress");
      told.ok(progress.length >= 3, `${what}: progress comes`);
      told.ok(progress.every(({ params }) => params.progressToken === token), `${what}: the token comes back as it is`);
      const values = progress.map(({ params }) => params.progress);
      told.ok(values.every((value, i) => i === 0 || value > values[i - 1]), `${what}: it only grows (${values})`);
      told.equal(notices.filter(({ method }) => method !== "notifications/progress"), [], `${what}: nothing else`);
    };
    const session = await Session.begin(url);
    for (const token of ["p-11", 11, 0, "11"]) {
      // `ask` fails unless the result is the last thing on the stream.
      check((await modern.call(TOOL, {}, { meta: { progressToken: token } })).notices, token, `modern, ${JSON.stringify(token)}`);
      check((await session.call(TOOL, {}, { token })).notices, token, `older era, ${JSON.stringify(token)}`);
      const real = await modern.call("todo_create", { title: "eleven" }, { meta: { progressToken: token } });
      check(real.notices, token, `a real tool, ${JSON.stringify(token)}`);
    }
    told.equal((await modern.call(TOOL)).notices, [], "modern: no token, no progress");
    told.equal((await session.call(TOOL)).notices, [], "older era: no token, no progress");
    const json = await modern.call(TOOL, {}, { meta: { progressToken: 1 }, accept: "application/json" });
    told.ok(/^application\/json/.test(json.headers["content-type"]) && json.result, "who reads no streams gets one object");
    const [one, two] = await Promise.all([1, 2].map((token) => modern.call(TOOL, {}, { meta: { progressToken: token } })));
    check(one.notices, 1, "two at once, the first");
    check(two.notices, 2, "two at once, the second");
    const open = await modern.open("tools/call", { name: TOOL, arguments: {} }, { meta: { progressToken: 1 } });
    const events = [];
    for (let event; (event = await open.nextEvent()); ) events.push(event);
    told.ok(events.at(-1).message.result && events.slice(0, -1).every(({ message }) => message.method), "nothing after the result");
    told.ok(events.every(({ fields }) => !fields.includes("id")), "no SSE ids");

    const LOGS = "test_logging_tool";
    const logs = (answer) => answer.notices.filter(({ method }) => method === "notifications/message").length;
    told.equal(logs(await modern.call(LOGS)), 0, "modern: no logLevel, no logs");
    told.equal(logs(await modern.call(LOGS, {}, { meta: { progressToken: 1 } })), 0, "modern: no logLevel on a stream, no logs");
    told.equal(logs(await modern.call(LOGS, {}, { meta: { [LOG_LEVEL]: "info" } })), 3, "modern: logs at their level");
    told.equal(logs(await modern.call(LOGS, {}, { meta: { [LOG_LEVEL]: "error" } })), 0, "modern: no logs below the level");
    told.equal(logs(await modern.call(LOGS)), 0, "modern: the level is one request's");
    told.equal(logs(await session.call(LOGS)), 0, "older era: no level, no logs");
    told.fine(await session.ask("logging/setLevel", { level: "info" }), "older era: a level");
    told.equal(logs(await session.call(LOGS)), 3, "older era: logs at their level");
  }],

  [12, "bodies", async (told, { modern, url }) => {
    const { headers } = modernRequest("tools/list");
    const old = { "content-type": "application/json", accept: BOTH, "mcp-protocol-version": LEGACY };
    const { body: good } = modernRequest("tools/list");
    const invalid = {
      "a body that is no JSON": ["{", -32700], "an empty body": ["", -32700], "half a body": [JSON.stringify(good).slice(0, -1), -32700],
      "a list": [JSON.stringify([good]), -32600], "an empty list": ["[]", -32600],
      "id: null": [JSON.stringify({ ...good, id: null }), -32600], "id: 1.5": [JSON.stringify({ ...good, id: 1.5 }), -32600],
      "id: {}": [JSON.stringify({ ...good, id: {} }), -32600], "a number": ["5", -32600], "null": ["null", -32600],
      "a response": [JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} }), -32600],
    };
    for (const [what, [body, code]] of Object.entries(invalid)) {
      for (const [era, sent] of [["modern", headers], ["older era", old]]) {
        const answer = await send(url, { headers: sent, body });
        const message = await answer.json();
        told.equal([answer.status, message?.error?.code], [400, code], `${what}, ${era}: HTTP 400 and ${code}`);
        told.ok(message && (message.id === 1 || !("id" in message)), `${what}, ${era}: no "id":null`);
      }
    }
    const { id: _, ...note } = modernRequest("notifications/cancelled", { requestId: 1 }).body;
    const { headers: noted } = modernRequest("notifications/cancelled");
    for (const [era, sent, body] of [["modern", noted, note], ["older era", old, { jsonrpc: "2.0", method: "notifications/initialized" }]]) {
      const taken = await send(url, { headers: sent, body: JSON.stringify(body) });
      told.equal([taken.status, await taken.text()], [202, ""], `a notification, ${era}: 202 and nothing`);
    }
    const wrong = await send(url, { headers: { ...noted, "mcp-method": "other" }, body: JSON.stringify(note) });
    told.ok(wrong.status >= 400 && wrong.status < 500, "a bad notification: 4xx");
    for (const method of ["GET", "DELETE", "PUT"]) {
      for (const [what, more] of [["", {}], [" with a session's id", { "mcp-session-id": "made-up" }]]) {
        const answer = await send(url, { method, headers: { accept: BOTH, "mcp-protocol-version": MODERN, ...more } });
        told.equal([answer.status, answer.headers.allow], [405, "POST"], `${method}${what}, modern: 405 with Allow`);
      }
      const bare = await send(url, { method, headers: { accept: BOTH } });
      told.equal(bare.status, 405, `${method} without a version: 405`);
    }
    const ignored = await modern.ask("tools/list", {}, { headers: { "mcp-session-id": "made-up", "last-event-id": "5" } });
    told.fine(ignored, "a modern request with a session's id");
    told.equal(ignored.headers["mcp-session-id"], undefined, "a modern answer names no session");
    const sized = (bytes) => {
      const body = JSON.stringify(modernRequest("tools/call", { name: "test_simple_text", arguments: { pad: "" } }).body);
      return body.replace('"pad":""', `"pad":"${"x".repeat(bytes - body.length)}"`);
    };
    const { headers: called } = modernRequest("tools/call", { name: "test_simple_text" });
    const most = 4 * 1024 * 1024;
    for (const [bytes, status] of [[most, 200], [most + 1, 413]]) {
      const answer = await send(url, { headers: called, body: sized(bytes), wait: 30_000 });
      const message = await answer.json();
      told.equal(answer.status, status, `${bytes} bytes: HTTP ${status}`);
      told.ok(status === 200 || (message?.error && !("id" in message)), `${bytes} bytes: a body that says so`);
    }
    for (const type of [null, "text/plain", "application/x-www-form-urlencoded", "application/jsonx"]) {
      const { "content-type": _type, ...others } = headers;
      const answer = await send(url, { headers: type ? { ...others, "content-type": type } : others, body: JSON.stringify(good) });
      told.equal(answer.status, 415, `content type ${type}: 415`);
    }
    for (const type of ["application/json; charset=utf-8", "Application/JSON"]) {
      const answer = await send(url, { headers: { ...headers, "content-type": type }, body: JSON.stringify(good) });
      told.equal(answer.status, 200, `content type ${type}: taken`);
    }
    const batch = await send(url, {
      headers: { ...old, "mcp-protocol-version": "2025-03-26" },
      body: JSON.stringify([{ jsonrpc: "2.0", id: 1, method: "ping" }, { jsonrpc: "2.0", id: 2, method: "ping" }]),
    });
    told.equal((await batch.json())?.map(({ id }) => id), [1, 2], "2025-03-26 takes batches");
  }],

  [13, "Origin and Host", async (told, { name, url, page, appUrl, network }) => {
    const { headers, body } = modernRequest("tools/list");
    if (name === "worker") return originOfPages(told, { page, appUrl, network });
    const { port } = new URL(url);
    const ask = async (more, options = {}) => {
      const answer = await send(url, { headers: { ...headers, ...more }, body: JSON.stringify(body), ...options });
      return [answer.status, await answer.text()];
    };
    const foreign = [
      { origin: "http://evil.example.com" }, { origin: "https://evil.example.com" }, { origin: "null" }, { origin: "" },
      { origin: `http://localhost.evil.example.com:${port}` }, { origin: "file://" }, { origin: "http://localhost@evil.example.com" },
      { host: "evil.example.com" }, { host: `evil.example.com:${port}` }, { host: `localhost.evil.example.com:${port}` }, { host: "0.0.0.0" },
      { host: "evil.example.com", origin: "http://evil.example.com" },
    ];
    for (const more of foreign) {
      const what = JSON.stringify(more);
      const [status, said] = await ask(more);
      told.equal(status, 403, `${what}: 403`);
      told.ok(!/"id"/.test(said), `${what}: no id in the answer`);
      // Before anything is read: none of the faults that would be found later is named.
      told.equal((await ask({ ...more, "content-type": "text/plain" }))[0], 403, `${what}: before the type`);
      told.equal((await ask(more, { body: "{" }))[0], 403, `${what}: before the JSON`);
      told.equal((await ask(more, { method: "GET", body: undefined }))[0], 403, `${what}: before the method`);
      told.equal((await ask({ ...more, "mcp-method": "wrong" }))[0], 403, `${what}: before the headers`);
      told.equal((await ask(more, { body: "x".repeat(5 << 20) }).catch(() => [403]))[0], 403, `${what}: before the size`);
    }
    for (const more of [
      {}, { origin: `http://127.0.0.1:${port}` }, { origin: `http://localhost:${port}` }, { host: `localhost:${port}` }, { host: "127.0.0.1" },
      { host: `[::1]:${port}` }, { host: `LOCALHOST:${port}`, origin: `http://localhost:${port}` },
    ]) {
      told.equal((await ask(more))[0], 200, `${JSON.stringify(more)}: passes`);
    }
  }],

  [14, "schemas", async (told, { modern, url }) => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
    addFormats(ajv);
    // Numbers of Rust: notes for people, not rules.
    for (const format of ["uint", "uint8", "uint16", "uint32", "uint64", "int32", "int64", "double", "float"]) ajv.addFormat(format, true);
    const list = async () => {
      const answer = await modern.open("tools/list", {}, { id: 14 });
      return answer.text();
    };
    const [first, second] = [await list(), await list()];
    told.equal(first === second, true, "tools/list is the same twice, byte by byte");
    const page = JSON.parse(first).result;
    const tools = [...page.tools];
    for (let cursor = page.nextCursor; cursor; ) {
      const more = JSON.parse(await (await modern.open("tools/list", { cursor }, { id: 14 })).text()).result;
      tools.push(...more.tools);
      cursor = more.nextCursor;
    }
    const checks = new Map();
    for (const tool of tools) {
      told.ok(/^[A-Za-z0-9_.-]{1,128}$/.test(tool.name), `${tool.name}: a name within the rules`);
      told.ok(tool.description, `${tool.name}: a description`);
      told.equal(tool.inputSchema?.type, "object", `${tool.name}: its input is an object`);
      told.ok(!JSON.stringify(tool).includes('"$ref":"http'), `${tool.name}: refers to nothing on the network`);
      const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
      told.ok(hints.every((hint) => typeof tool.annotations?.[hint] === "boolean"), `${tool.name}: all four hints`);
      try {
        ajv.compile(tool.inputSchema);
        if (tool.outputSchema) checks.set(tool.name, ajv.compile(tool.outputSchema));
        told.ok(true, `${tool.name}: its schemas compile`);
      } catch (error) {
        told.ok(false, `${tool.name}: its schemas compile: ${error.message}`);
      }
    }
    told.equal(tools.find(({ name }) => name === "json_schema_2020_12_tool")?.inputSchema, SCHEMA_2020_12, "every keyword of an input schema survives");
    for (const version of [LEGACY, "2025-06-18", "2025-03-26"]) {
      const session = await Session.begin(url, {}, version);
      const { result } = await session.ask("tools/list");
      told.equal(result.tools.length, page.tools.length, `${version}: the same first page`);
      told.ok(result.tools.every(({ inputSchema }) => inputSchema.type === "object"), `${version}: inputs are objects`);
      const outputs = result.tools.map(({ outputSchema }) => outputSchema).filter(Boolean);
      told.ok(outputs.every(({ type }) => type === "object"), `${version}: outputs are objects`);
      if (version === "2025-03-26") told.equal(outputs, [], `${version}: no output schemas`);
    }

    const isForAppAlone = (name) => tools.find((tool) => tool.name === name)?._meta?.ui?.visibility?.join() === "app";
    const seen = new Set();
    const session = await Session.begin(url);
    const valid = (name, args, result) => {
      const what = `${name} ${JSON.stringify(args).slice(0, 100)}`;
      told.equal(result?.isError, false, `${what}: no error (${text(result).slice(0, 200)})`);
      if (result?.isError !== false) return;
      seen.add(name);
      const check = checks.get(name);
      // What is for the app alone says nothing of its results: the app knows.
      const says = check || !isForAppAlone(name);
      if (says) told.ok(check?.(result.structuredContent), `${what}: fits its output schema: ${ajv.errorsText(check?.errors)}`);
      let mirror;
      try {
        mirror = JSON.parse(text(result));
      } catch {
        // Said by the next line.
      }
      told.equal(mirror, result.structuredContent, `${what}: the text is the same`);
    };
    const run = async (name, args) => {
      const { result } = await modern.call(name, args);
      valid(name, args, result);
      return result?.structuredContent;
    };
    // Words that are hard on JSON, on titles and on schemas.
    const dice = random(14);
    const pick = (list) => list[Math.floor(dice() * list.length)];
    const words = ["milk", "žluť", "日本語", "\"quoted\"", "back\\slash", "a<b>&c", "😀", "tab\there", "l’été", "\u2028"];
    const made = [];
    for (let i = 0; i < 25; i++) {
      const due = pick([undefined, "2026-11-22", "2026-12-31T23:59", "2027-02-28", null]);
      const args = {
        title: `fourteen ${i} ${pick(words)} ${pick(words)}`,
        notes: pick([undefined, null, "", `${pick(words)}\n${pick(words)}`]),
        priority: pick([undefined, null, "none", "low", "medium", "high", "urgent"]),
        tags: pick([undefined, null, [], ["a"], ["a", "home-office", "ž"]]),
        list: pick([undefined, null, "Work", "Küche"]),
        parent: pick([undefined, null, made[0]]),
        due,
        repeat: due ? pick([undefined, null, "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO"]) : undefined,
      };
      const output = await run("todo_create", JSON.parse(JSON.stringify(args)));
      if (output) made.push(output.changes[0].after.id);
    }
    await run("todo_create", { items: [{ title: "fourteen, of several" }, { title: "fourteen, another", due: "2026-12-01", tags: ["x"] }] });
    for (const id of made.slice(0, 6)) {
      const patch = pick([{ title: `fourteen, new ${pick(words)}` }, { due: null }, { due: "2027-01-01T08:00", notes: "n" }, { add_tags: ["t"], remove_tags: ["a"] }, { priority: "high" }]);
      await run("todo_update", { id, ...patch });
    }
    await run("todo_update", { ids: made.slice(6, 9), list: "Moved" });
    await run("todo_update", { id: made[0] });
    await run("todo_complete", { ids: made.slice(3, 12) });
    await run("todo_complete", { id: made[3] });
    await run("todo_reopen", { id: made[4] });
    for (const args of [
      {}, { status: "all", limit: 200 }, { status: "done", sort: "updated" }, { status: "all", limit: 1 }, { list: "Work" }, { tag: "a" },
      { text: "žluť" }, { overdue: true }, { due_from: "2026-01-01", due_to: "2027-12-31", sort: "title" }, { priority: "high", sort: "priority" },
      { text: "there is no such thing" },
    ]) {
      const page = await run("todo_list", args);
      if (page?.next_cursor) await run("todo_list", { ...args, cursor: page.next_cursor });
    }
    for (const id of made) await run("todo_get", { id });
    await run("todo_delete", { ids: made.slice(12, 15) });
    await run("todo_delete", { id: made[15] });
    await run("undo", {});
    await run("redo", {});
    await run("undo", { last: 2 });
    const history = await run("history", { limit: 5 });
    if (history?.next_cursor) await run("history", { limit: 100, cursor: history.next_cursor });
    await run("history", { rev: history?.entries?.[0]?.rev ?? 1 });
    const files = {};
    for (const format of ["json", "ics", "csv"]) files[format] = (await run("data_export", { format }))?.text;
    for (const format of ["json", "ics", "csv"]) await run("data_import", { format, text: files[format], mode: "add" });
    const { snapshot } = (await run("data_snapshot", { name: "fourteen" })) ?? {};
    await run("todo_clear_completed", { list: "Work" });
    await run("todo_clear_completed", {});
    await run("data_snapshots", {});
    await run("data_restore", { snapshot: snapshot?.id });
    await run("data_import", { format: "json", text: files.json, mode: "replace" });
    await run("data_storage", {});
    await run("data_context", {});
    const kept = [];
    for (const text of words) {
      const saved = await run("user_memory_save", { text: `fourteen, ${text}`, kind: pick(["fact", "preference"]) });
      const id = saved?.changes?.[0]?.after?.id;
      if (id) kept.push(id);
    }
    await run("user_memory_search", {});
    const found = await run("user_memory_search", { text: "fourteen", limit: 2 });
    told.equal(found?.total, words.length, "what was to be remembered is found");
    await run("user_memory_update", { id: kept[0], text: "fourteen, corrected", pinned: true });
    await run("user_memory_forget", { id: kept[1] });
    await run("user_memory_forget", { all: true });
    for (const args of [{ since: 0 }, { since: 0, limit: 3 }, { since: 5, limit: 1000 }]) await run("data_changes", args);
    const hash = (number) => `${number.toString(16).padStart(20, "0")}${"7".padStart(44, "0")}`;
    const photo = (number) => `photo_${hash(number).slice(0, 20)}`;
    const photos = [...Array(12).keys()];
    const seen_of = (number) => ({
      width: 4000, height: 3000, faces: number < 6 ? 1 : 0, tags: number % 3 ? [] : [{ name: "dog", by: "net", sure: 80 }],
      quality: { score: 90 - number, sharp: 90, light: 80, reasons: ["sharp"] },
      place: { city: "Paris", country: "France", landmarks: ["Eiffel Tower"] },
    });
    await run("photo_import", { items: photos.map((number) => ({
      hash: hash(number), name: `žluť_${number}.jpg`, bytes: 1000, kind: "image/jpeg",
      taken: `2026-11-1${number % 2}T10:00:${10 + number}`, gps: { lat: 48.8584, lon: 2.2945 },
    })) });
    await run("photo_looks", {});
    await run("photo_looked", { items: photos.map((number) => ({ id: photo(number), seen: seen_of(number) })) });
    await run("photo_twins", { groups: [[photo(0), photo(1)]] });
    for (const args of [{}, { sort: "best" }, { bin: true }]) await run("photo_list", args);
    await run("photo_get", { id: photo(0) });
    for (const args of [{}, { text: "žluť" }, { tags: ["dog"], place: "Paris" }, { min_faces: 1, orientation: "landscape" }, { text: "nothing of the kind" }]) await run("photo_search", args);
    await run("detect_faces", {});
    for (const name of ["assess_quality", "photo_tag", "photo_untag", "photo_rate"]) {
      await run(name, { images: [photo(2)], ...(name.includes("tag") ? { tags: ["home"] } : name === "photo_rate" ? { stars: 4 } : {}) });
    }
    await run("assess_quality_batch", { top_n: 3 });
    await run("rank_images", { by: "sharpness", top_n: 2 });
    for (const name of ["cluster_images", "select_best_per_cluster", "find_duplicates", "identify_places", "photo_grid"]) await run(name, {});
    await run("show_cluster", { number: 1 });
    await run("filter_by_tags", { tags: ["dog"] });
    await run("album_create", { name: "Küche", images: [photo(1)] });
    await run("album_add", { album: "Küche", images: [photo(2), photo(3)] });
    await run("album_list", {});
    await run("album_remove", { album: "Küche", images: [photo(2)] });
    for (const args of [{}, { images: [photo(1), photo(2)], size: "small" }, { gps: true }]) {
      for (const name of ["photo_export", "photo_files"]) await run(name, args);
    }
    await run("photo_files", { album: "Küche" });
    await run("photo_people_on", { on: true });
    await run("photo_faces", { items: photos.slice(0, 6).map((number) => ({ id: photo(number), faces: [{ box: [1, 1, 20, 30], vector: "" }] })) });
    await run("photo_people_looks", {});
    await run("photo_people_groups", { groups: [0, 1].map((person) => photos.slice(0, 6).filter((number) => number % 2 === person).map((number) => ({ photo: photo(number), face: 0 }))) });
    await run("group_by_person", {});
    const people = (await run("photo_people_grid", {}))?.people ?? [];
    if (people[0]) await run("photo_people_set", { person: people[0].id, hidden: false });
    await run("person_name", { person: "unnamed person 1", name: "Žofie" });
    await run("person_split", { person: "Žofie", images: [photo(0)] });
    await run("person_merge", { from: "unnamed person 2", into: "Žofie" });
    await run("data_erase", { what: "people" });
    await run("photo_delete", { images: [photo(10), photo(11)] });
    await run("photo_restore", { images: [photo(11)] });
    await run("photo_purge", { images: [photo(10)] });
    const paris = "Paříž, l’été";
    const trip = (await run("itinerary_create", { title: paris, start: "2027-06-14", end: "2027-06-18", destinations: ["Paris"],
      home: "Berlin", currency: "EUR", budget: 4000, note: "žluť\n\"quoted\"" }))?.itineraryId;
    const on = { itinerary: trip };
    await run("itinerary_create", { title: "fourteen, bare" });
    await run("update_itinerary", { ...on, note: null, assumptions: { walking_kmh: 4 } });
    await run("add_traveler", { ...on, name: "Žofie", kind: "child", born: "2019-04-01", passport: { country: "CZ", valid_until: "2030-01-01" } });
    await run("update_preferences", { ...on, pace: { value: "relaxed", said: "take it easy" }, interests: { value: ["museums"], said: "we like museums" } });
    await run("add_flight", { ...on, from: "Berlin", to: "Paris", start: "2027-06-14T09:00", end: "2027-06-14T10:50", carrier: "Air France",
      number: "AF1735", cost: 420, title: "There" });
    await run("add_transfer", { ...on, from: "CDG", to: "Hotel Fabric, Paris", mode: "taxi", start: "2027-06-14T11:30", end: "2027-06-14T12:15",
      depends_on: [{ on: "There", how: "starts_after_end" }] });
    await run("add_hotel", { ...on, title: "Hotel Fabric", place: "Hotel Fabric, Paris", start: "2027-06-14", end: "2027-06-18", rooms: 1, sleeps: 2 });
    const visit = (await run("add_activity", { ...on, title: "Louvre <b>", start: "2027-06-15T10:00", end: "2027-06-15T13:00" }))?.segmentId;
    await run("add_meeting", { ...on, title: "日本語", start: "2027-06-15T12:00", end: "2027-06-15T14:00", who: ["Žofie"] });
    await run("update_segment", { segment: visit, cost: 22, note: "back\\slash", links: ["https://example.com/l"] });
    await run("move_segment", { segment: visit, by_minutes: 15 });
    await run("move_segment", { ...on, segment: "There", to: "2027-06-14T09:30" });
    await run("reorder_segments", { ...on, day: "2027-06-15", order: [visit] });
    await run("get_segment", { segment: visit });
    for (const args of [on, { ...on, day: "2027-06-15" }]) await run("get_itinerary", args);
    for (const args of [{}, { archived: true }]) await run("itinerary_list", args);
    const checked = await run("check_itinerary", on);
    told.ok(checked?.findings.length > 0, "what overlaps is found");
    const beds = await run("search_hotels", { place: "Paris", check_in: "2027-06-14", check_out: "2027-06-18", travelers: 2 });
    told.ok(beds?.found?.length > 0, "the demo catalogue answers");
    await run("search_flights", { from: "Berlin", to: "Paris", date: "2027-06-18" });
    await run("search_transfers", { from: "CDG", to: "Paris" });
    await run("search_web", { query: "museums in Paris" });
    const unknown = (await modern.call("search_web", { query: "there is no such thing", place: "Nowhere" })).result;
    told.ok(unknown?.isError && text(unknown).includes("has notes on Paris"), "what the catalogue has nothing on is said, with what it has");
    await run("get_distance", { from: "Berlin", to: "Paris" });
    for (const name of ["Louvre", "CDG", "Springfield", "there is no such place"]) await run("geocode_location", { name });
    for (const args of [on, { ...on, day: "2027-06-15" }]) await run("show_route", args);
    const written = {};
    for (const format of ["ics", "json", "text"]) written[format] = (await run("itinerary_export", { ...on, format }))?.text;
    await run("itinerary_export", { ...on, format: "json", private: true });
    await run("itinerary_duplicate", { ...on, title: "fourteen, once more", start: "2028-06-14" });
    await run("itinerary_import", { itinerary: "fourteen, bare", text: written.ics, all: true });
    await run("delete_segment", { segment: visit });
    await run("data_context", { about: trip });
    await run("data_context", { about: "fourteen" });
    await run("itinerary_archive", { itinerary: "fourteen, bare" });
    await run("itinerary_archive", { itinerary: "fourteen, bare", archived: false });
    await run("itinerary_delete", { itinerary: "fourteen, once more" });
    told.equal([...checks.keys()].filter((name) => !seen.has(name)), [], "every tool with an output schema was looked at");

    const preview = await modern.call("todo_create", { title: "never" }, { meta: { "dev.satchel/preview": true } });
    valid("todo_create", { preview: true }, preview.result);
    const keyed = [];
    for (const _ of [1, 2]) keyed.push((await modern.call("todo_create", { title: "fourteen, once" }, { meta: { [KEY]: "fourteen-once" } })).result);
    keyed.forEach((result) => valid("todo_create", { keyed: true }, result));
    told.equal(keyed[1]?.structuredContent, keyed[0]?.structuredContent, "a second call of a key has the first answer");
    valid("todo_list", { legacy: true }, (await session.call("todo_list", { status: "all" })).result);
    const task = await modern.call("data_export", { format: "json" }, { caps: KNOWS_TASKS });
    const done = await until(modern, task.result.taskId, (one) => one.status === "completed");
    valid("data_export", { task: true }, done?.result);
    const failed = await modern.call("todo_get", { id: "nope" });
    told.equal(failed.result?.structuredContent, undefined, "an error has no structured content");
  }],

  [15, "two eras and the official clients", async (told, { name, url, page, appUrl, modern, stop }) => {
    const look = (what, version, kind, outcome) => {
      told.equal(outcome.version, version, `${what}: its revision`);
      told.ok(outcome.tools > 20 && outcome.prompts > 3 && outcome.resources.includes(LIST), `${what}: lists`);
      told.ok(outcome.progress.length >= 3 && outcome.progressed, `${what}: calls with progress`);
      told.ok(outcome.asked.includes("Who are you?") && outcome.elicited?.includes("ada@example.com"), `${what}: is asked`);
      told.ok(outcome.asked.some((message) => message.startsWith("Delete to-dos")), `${what}: is asked by a real tool`);
      told.ok(outcome.deleted?.startsWith("Deleted"), `${what}: what was approved is done`);
      told.ok(outcome.updated.includes(LIST), `${what}: hears of what it subscribed to`);
      if (outcome.honoured) told.equal(outcome.honoured, { resourceSubscriptions: [LIST] }, `${what}: what is honoured`);
      else told.equal(outcome.subscribed, {}, `${what}: subscribe answers {}`);
      told.equal(outcome.cancelled, "cancelled", `${what}: cancels`);
      told.equal(outcome.left, [], `${what}: what it cancelled is not done`);
    };
    const versionOf = (kind) => (kind.endsWith("auto") ? MODERN : LEGACY);
    for (const kind of Object.keys(KINDS)) {
      try {
        look(`${kind} in Node`, versionOf(kind), kind, await within(drive(url, kind, `Node ${kind}`), 40_000, kind));
      } catch (error) {
        told.ok(false, `${kind} in Node: ${error.message}`);
      }
    }
    if (name === "worker") {
      await page.addScriptTag({ url: "/clients.js" });
      for (const kind of Object.keys(KINDS)) {
        const there = page.evaluate(([url, kind]) => globalThis.officialClients.drive(url, kind, `page ${kind}`), [`${appUrl}api/mcp`, kind]);
        try {
          look(`${kind} in a page`, versionOf(kind), kind, await within(there, 40_000, kind));
        } catch (error) {
          told.ok(false, `${kind} in a page: ${error.message}`);
        }
      }
    }

    const session = await Session.begin(url, FORMS);
    told.ok(/^[\x21-\x7e]+$/.test(session.id ?? ""), "a session's id is visible ASCII");
    told.equal((await session.ask("ping")).result, {}, "ping is {}");
    told.equal((await session.ask("logging/setLevel", { level: "warning" })).result, {}, "setLevel is {}");
    told.equal((await session.ask("resources/subscribe", { uri: LIST })).result, {}, "subscribe is {}");
    told.equal((await session.ask("resources/unsubscribe", { uri: LIST })).result, {}, "unsubscribe is {}");
    told.fine(await modern.ask("tools/list"), "the modern era beside it");
    await stop();
    told.equal((await session.ask("ping")).result, {}, "a session outlives a stop");
    told.fine(await session.call("todo_list"), "and its calls work");
    const end = await session.end();
    told.ok(end.status >= 200 && end.status < 300, "a session's end");
    for (const again of [1, 2]) {
      told.equal((await session.open("ping")).status, 404, `a dead session: 404, request ${again}`);
      told.equal((await session.listen()).status, 404, `a dead session's stream: 404, request ${again}`);
      if (again === 1) await stop();
    }
    const unknown = Object.assign(new Session(url), { id: "never-given-out" });
    told.equal((await unknown.open("tools/list")).status, 404, "an unknown session: 404");
    const anew = await Session.begin(url);
    told.ok(anew.id && anew.id !== session.id, "after it, a new one begins");
    told.equal((await anew.ask("ping")).result, {}, "and works");
    const bad = await anew.open("ping", {}, { headers: { "mcp-protocol-version": "1999-01-01" } });
    told.equal(bad.status, 400, "a version that is not served: 400");
  }],
];

// A worker never sees Origin or Host: what protects it is that the browser brings it its own origin's requests only.
async function originOfPages(told, { page, appUrl, network }) {
  const foreign = createServer((request, response) => {
    const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
    response.writeHead(request.method === "OPTIONS" ? 204 : 200, headers).end("the network");
  });
  const port = await new Promise((resolve) => foreign.listen(0, "127.0.0.1", () => resolve(foreign.address().port)));
  const { headers, body } = modernRequest("tools/list");
  const fetchText = ([url, init]) => fetch(url, init).then(async (answer) => [answer.status, await answer.text()]);
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const own = await page.evaluate(fetchText, [`${appUrl}api/mcp`, init]);
  told.ok(own[0] === 200 && own[1].includes('"tools"'), "our own origin is answered by the worker");
  const other = await page.evaluate(fetchText, [`http://127.0.0.1:${port}/api/mcp`, init]);
  told.equal(other, [200, "the network"], "another origin's address is not answered by the worker");
  const near = await page.evaluate(fetchText, [`${appUrl}api/other`, init]);
  told.equal(near[0], 599, "another path is not answered by the worker");
  const form = { ...init, headers: { "content-type": "text/plain" }, mode: "no-cors" };
  told.equal((await page.evaluate(fetchText, [`${appUrl}api/mcp`, form]))[0], 415, "a request as a form can send it: 415");

  // A page elsewhere, in the same browser: what it sends goes to the network.
  const elsewhere = await page.context().newPage();
  await elsewhere.goto(`http://127.0.0.1:${port}/`);
  const before = network.length;
  await elsewhere.evaluate(([url, init]) => fetch(url, init).catch(() => {}), [`${appUrl}api/mcp`, form]);
  told.equal(network.slice(before), ["POST /api/mcp"], "another origin's page does not reach the worker");
  const landed = elsewhere.waitForURL(`${appUrl}api/mcp`).then(() => elsewhere.textContent("body"));
  await elsewhere.evaluate((url) => {
    const form = document.createElement("form");
    Object.assign(form, { method: "POST", action: url, enctype: "text/plain" });
    document.body.append(form);
    form.submit();
  }, `${appUrl}api/mcp`);
  told.equal(await within(landed, 10_000, "the navigation"), "the worker is not in control", "nor does a form that navigates");
  await elsewhere.close();
  foreign.closeAllConnections();
  foreign.close();
}

// A task, once it is as wanted.
async function until(modern, taskId, isIt, caps = KNOWS_TASKS) {
  for (let left = 100; left > 0; left--) {
    const { result } = await modern.ask("tasks/get", { taskId }, { caps });
    if (isIt(result)) return result;
    await sleep(100);
  }
}

// The same dice every time (mulberry32).
export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// The suite's own fixture, keyword by keyword.
const SCHEMA_2020_12 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

// What a page needs to run the official clients.
export async function pageScripts() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("clients.js", import.meta.url))],
    bundle: true,
    format: "iife",
    globalName: "officialClients",
    platform: "browser",
    write: false,
    logLevel: "error",
  });
  return { "/clients.js": outputFiles[0].text };
}

// Runs all of them, or those with these numbers; how many failed.
export async function runChecks(served, numbers = []) {
  let failed = 0;
  for (const [number, title, run] of CHECKS) {
    if (numbers.length && !numbers.includes(number)) continue;
    const told = new Told();
    const began = Date.now();
    try {
      await within(run(told, { ...served, modern: new Modern(served.url) }), 120_000, title);
    } catch (error) {
      told.faults.push(`broke off: ${error.stack}`);
    }
    const took = `${((Date.now() - began) / 1000).toFixed(1)} s`;
    console.log(`${told.faults.length ? "FAILED" : "ok    "}  check ${number}: ${title} (${told.count} assertions, ${took})`);
    for (const fault of told.faults) console.log(`    - ${fault}`);
    failed += told.faults.length ? 1 : 0;
  }
  return failed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kind, where, ...numbers] = process.argv.slice(2);
  const served = await host(kind, where, kind === "worker" ? await pageScripts() : {});
  const failed = await runChecks(served, numbers.map(Number));
  await served.close();
  process.exit(failed ? 1 : 0);
}
