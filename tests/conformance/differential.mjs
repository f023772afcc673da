// The same requests to our server and to the official TypeScript one, and every difference between the answers.
//   node differential.mjs <the program conformance-host> [--all]      (--all shows the justified differences as well)
//
// The requests and the differences that may be are in differential.json. A difference that no entry there explains fails
// the run, and so does an entry that explains nothing (any longer).
//
// What is compared of an answer: the HTTP status, whether the body is JSON, events or nothing, the JSON-RPC error's code,
// the data of errors whose code defines one, all fields of a result, and what else was said on the way, in order.
// What is not, because the protocol leaves it to the server or it is about this server only:
//   - an id's value, when it is the request's (that it is, is compared: "echoed", "null", "absent" or "another");
//   - the words of messages to people: of errors, and of tool results that are errors;
//   - the data of errors whose code defines none;
//   - `serverInfo`'s content and the numbers of `ttlMs` (that they are there, and well-formed, is compared);
//   - the order of listed things, and the tools, resources and templates that only ours has: it has to-dos as well;
//   - `isError: false` is the same as none; `mode: "form"` as well: both are the schema's defaults;
//   - the content of a `requestState`, a cursor and an output that the server may encode as it likes;
//   - HTTP headers other than the content type.
import { readFile } from "node:fs/promises";
import { request as http } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { host } from "./hosts.mjs";
import { oracle } from "./oracle.mjs";

const ABSENT = "$absent";
const META = "io.modelcontextprotocol/";
const MODERN = "2026-07-28";

// -- Requests ------------------------------------------------------------------------------------------------------

/** Objects into each other; "$absent" takes a key away. */
function merge(base, over) {
  if (!isObject(base) || !isObject(over)) return over;
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) merged[key] = key in merged ? merge(merged[key], value) : value;
  return merged;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Without the keys that were taken away. */
function kept(value) {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, value]) => value !== ABSENT).map(([key, value]) => [key, kept(value)]));
}

/** Each case of each family, in each of its settings. */
function expand(families) {
  return families.flatMap(({ name, request = {}, across = { "": {} }, cases }) =>
    Object.entries(across).flatMap(([setting, partial]) =>
      Object.entries(cases).map(([label, over]) => ({
        name: [name, setting, label].filter(Boolean).join(" / "),
        spec: merge(merge(request, partial), over),
      })),
    ),
  );
}

const NAMED = { "tools/call": "name", "prompts/get": "name", "resources/read": "uri" };

/** What goes over the wire: what a correct client of the era would send, changed where the case says so. */
function wire(spec, state) {
  const { era = "modern", method, params, meta, message, body, raw, repeat } = spec;
  let said = { jsonrpc: "2.0", id: 1, method };
  let headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  if (era === "modern") {
    const own = { [`${META}protocolVersion`]: MODERN, [`${META}clientCapabilities`]: {}, [`${META}clientInfo`]: { name: "differential", version: "1" } };
    const prefixed = isObject(meta) ? Object.fromEntries(Object.entries(meta).map(([key, value]) => [SHORT.has(key) ? META + key : key, value])) : meta;
    said.params = merge({ _meta: meta === undefined ? own : merge(own, prefixed) }, params ?? {});
    headers = { ...headers, "mcp-protocol-version": MODERN, "mcp-method": method };
    const named = said.params?.[NAMED[method]];
    if (typeof named === "string") headers["mcp-name"] = named;
  } else {
    if (params !== undefined) said.params = params;
    headers["mcp-protocol-version"] = "2025-11-25";
  }
  said = kept(merge(said, message ?? {}));
  if (said.params?.requestState === "$state") said.params.requestState = state;
  if (said.params?.requestState === "$tampered") said.params.requestState = `${state}-TAMPERED`;
  let text = JSON.stringify(body === undefined ? said : kept(body));
  if (raw !== undefined) text = raw.replace("$message", text);
  if (repeat) text = repeat.before + repeat.what.repeat(repeat.times) + repeat.after;
  const bytes = spec.bytes ? Buffer.from(spec.bytes, "base64") : Buffer.from(text);
  return { verb: spec.http ?? "POST", headers: kept(merge(headers, spec.headers ?? {})), bytes, id: said.id, method };
}

/** Keys of `_meta` that are the protocol's own. */
const SHORT = new Set(["protocolVersion", "clientCapabilities", "clientInfo", "logLevel"]);

/** Sends, and reads the answer: all of it, or of a stream that lasts its first event. */
function send(url, { verb, headers, bytes, method }) {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const hasBody = !["GET", "HEAD"].includes(verb);
    const sent = http({ hostname, port, path: pathname, method: verb, headers: { ...headers, ...(hasBody ? { "content-length": bytes.length } : {}) } }, (answer) => {
      const type = (answer.headers["content-type"] ?? "").split(";")[0];
      let body = "";
      const done = () => {
        clearTimeout(timer);
        resolve({ status: answer.statusCode, type, body });
        sent.destroy();
      };
      const timer = setTimeout(done, 5_000);
      answer.setEncoding("utf8");
      answer.on("data", (piece) => {
        body += piece;
        const lasts = method === "subscriptions/listen" || verb === "GET";
        if (lasts && type === "text/event-stream" && /data:.*\n\r?\n/.test(body)) done();
      });
      answer.on("end", done);
      answer.on("error", done);
    });
    sent.on("error", reject);
    sent.end(hasBody ? bytes : undefined);
  });
}

// -- Answers -------------------------------------------------------------------------------------------------------

const TYPES = { "application/json": "json", "text/event-stream": "events" };

/** An answer as plain, comparable data. */
function read({ status, type, body }, id) {
  const kind = body === "" ? "nothing" : (TYPES[type] ?? "other");
  const messages =
    kind === "events"
      ? body.split(/\r?\n\r?\n/).flatMap((event) => {
          const data = event.split(/\r?\n/).filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim()).join("\n");
          return data ? [JSON.parse(data)] : [];
        })
      : kind === "json"
        ? [JSON.parse(body)]
        : [];
  const isAnswer = (message) => Array.isArray(message) || "result" in message || "error" in message;
  const answers = messages.filter(isAnswer);
  // A batch is answered by one list or by one event for each.
  const answer = answers.length > 1 ? answers : answers[0];
  const said = messages.filter((message) => !isAnswer(message)).map(({ jsonrpc, ...rest }) => rest);
  return { status, type: kind, ...shape(answer, id), ...(said.length ? { said: plain(said) } : {}) };
}

/** Codes whose definition asks for data. */
const WITH_DATA = new Set([-32021, -32022]);

function shape(answer, id) {
  if (answer === undefined) return { answer: "none" };
  if (Array.isArray(answer)) return { answer: `batch of ${answer.length}`, parts: answer.map((part) => shape(part, part?.id)) };
  const { id: given, error, result } = answer;
  const echo = given === undefined ? "absent" : given === null ? "null" : isDeepStrictEqual(given, id) ? "echoed" : "another";
  if (error) {
    const data = WITH_DATA.has(error.code) ? { data: error.data } : error.data?.uri ? { data: { uri: error.data.uri } } : {};
    return { answer: `error ${error.code}`, id: echo, ...data };
  }
  const about = result.resultType ?? (id === undefined ? "" : "plain");
  return { answer: `result ${about}${result.isError ? " isError" : ""}`.trim(), id: echo, result: plain(result) };
}

/** A result without what is not compared. */
function plain(value, key) {
  if (key === "ttlMs") return Number.isInteger(value) && value >= 0 ? "a time" : value;
  if (key === "requestState") return typeof value === "string" ? "a state" : value;
  if (key === `${META}serverInfo` || key === "serverInfo") return value?.name && value?.version ? "someone" : value;
  if (Array.isArray(value)) {
    const plains = value.map((item) => plain(item));
    const [by, names] = OWN[key] ?? [];
    return by ? Object.fromEntries(plains.filter((item) => names.has(item[by])).map((item) => [item[by], item])) : plains;
  }
  if (!isObject(value)) return value;
  const isError = value.isError === true && Array.isArray(value.content);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, value]) => !(key === "isError" && value === false) && !(key === "mode" && value === "form"))
      .map(([key, value]) => [key, isError && key === "content" ? value.map(({ type }) => type) : plain(value, key)]),
  );
}

/** Lists of which only what both have is compared, by name: filled from what the official server lists. */
const OWN = {};

/** Where two answers differ. When they are not the same kind of answer, what is in them says nothing. */
function differences(ours, theirs) {
  const found = [];
  const walk = (path, a, b) => {
    if (isDeepStrictEqual(a, b)) return;
    if (isObject(a) && isObject(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) walk(path ? `${path}.${key}` : key, a[key], b[key]);
    } else found.push({ path, ours: a, theirs: b });
  };
  if (ours.answer === theirs.answer) walk("", ours, theirs);
  else for (const key of ["status", "type", "id", "answer"]) walk(key, ours[key], theirs[key]);
  return found;
}

// -- The comparison ------------------------------------------------------------------------------------------------

/** Whether an entry explains a difference: every pattern that it has fits. */
function explains(entry, request, difference) {
  const fits = (pattern, value) => pattern === undefined || new RegExp(`^(?:${pattern})$`).test(typeof value === "string" ? value : (JSON.stringify(value) ?? "absent"));
  const { requests, path, ours, theirs } = entry;
  return fits(requests, request) && fits(path, difference.path) && fits(ours, difference.ours) && fits(theirs, difference.theirs);
}

const [program, ...flags] = process.argv.slice(2);
if (!program) {
  console.error("usage: node differential.mjs <the program conformance-host> [--all]");
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));
const { count, families, justified } = JSON.parse(await readFile(join(here, "differential.json"), "utf8"));
const requests = expand(families);
const names = new Set(requests.map(({ name }) => name));
if (names.size !== requests.length) throw new Error("two requests have the same name");

const sides = [await host("http", program), await oracle()];
for (const [method, key, by] of [["tools/list", "tools", "name"], ["resources/list", "resources", "uri"], ["resources/templates/list", "resourceTemplates", "uriTemplate"], ["prompts/list", "prompts", "name"]]) {
  const { body } = await send(sides[1].url, wire({ method }));
  OWN[key] = [by, new Set(JSON.parse(body).result[key].map((item) => item[by]))];
}

let same = 0;
const unjustified = [];
const uses = new Map(justified.map((entry) => [entry.id, new Set()]));
for (const { name, spec } of requests) {
  const answers = [];
  for (const { url } of sides) {
    let state;
    if (spec.first) {
      const { first, ...rest } = spec;
      const round = await send(url, wire(merge({ ...rest, params: { ...rest.params, inputResponses: ABSENT, requestState: ABSENT } }, first)));
      state = JSON.parse(round.body).result?.requestState;
    }
    const outgoing = wire(spec, state);
    answers.push(read(await send(url, outgoing), outgoing.id));
  }
  const found = differences(...answers);
  if (found.length === 0) same += 1;
  for (const difference of found) {
    const entry = justified.find((entry) => explains(entry, name, difference));
    if (entry) uses.get(entry.id).add(name);
    if (entry && !flags.includes("--all")) continue;
    const words = `${name}\n    ${difference.path}: ours ${JSON.stringify(difference.ours)}, theirs ${JSON.stringify(difference.theirs)}`;
    if (entry) console.log(`${words}\n    justified: ${entry.id}`);
    else unjustified.push(words);
  }
}
for (const side of sides) await side.close();

const stale = justified.filter((entry) => uses.get(entry.id).size === 0);
for (const words of unjustified) console.log(`NOT JUSTIFIED  ${words}`);
for (const { id } of stale) console.log(`STALE  ${id}: no answer differs in this way`);
if (requests.length !== count) console.log(`COUNT  ${requests.length} requests, where differential.json says ${count}`);
console.log(`${requests.length} requests: ${same} answered the same, ${requests.length - same} with differences`);
for (const [id, by] of uses) console.log(`  ${String(by.size).padStart(3)}  ${id}`);
console.log(`${unjustified.length} differences without a justification, ${stale.length} justifications without a difference`);
process.exit(unjustified.length || stale.length || requests.length !== count ? 1 : 0);
