// The official TypeScript server with the suite's fixtures in it: what ours is compared with, and so no line of ours.
// The fixtures say what `src/*.rs` says, as far as the requests of differential.json reach.
import { createServer } from "node:http";
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  McpServer, MissingRequiredClientCapabilityError, ResourceTemplate, createMcpHandler, createRequestStateCodec,
  fromJsonSchema, hostHeaderValidationResponse, inputRequired, localhostAllowedHostnames, localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const text = (words) => ({ content: [{ type: "text", text: words }] });
const nothing = { type: "object", properties: {} };
const image = { type: "image", data: PNG, mimeType: "image/png" };
const embedded = (uri, mimeType, words) => ({ type: "resource", resource: { uri, mimeType, text: words } });
const form = (message, properties, required) => inputRequired.elicit({ message, requestedSchema: { type: "object", properties, required } });
const nameForm = () => form("What is your name?", { name: { type: "string", title: "Name" } }, ["name"]);
const okForm = () => form("Please confirm", { ok: { type: "boolean" } }, ["ok"]);
const sampling = (prompt) => inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text: prompt } }], maxTokens: 100 });

/** What the client declares with this request, or declared in its handshake (which a stateless server does not know). */
const declared = (ctx) => ctx.mcpReq.envelope?.[CAPABILITIES] ?? {};

/** The SDK leaves it to the tool not to ask for what the client cannot answer. */
function needs(ctx, capability) {
  if (!declared(ctx)[capability]) throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { [capability]: {} } });
}

const isElicited = (answer) => ["accept", "decline", "cancel"].includes(answer?.action);

/** The name that was filled in; other words where it was not; undefined where it has to be asked for. */
function named(ctx, key = "user_name") {
  const answer = ctx.mcpReq.inputResponses?.[key];
  if (!isElicited(answer)) return undefined;
  if (answer.action === "accept") return { name: answer.content?.name ?? "" };
  return { refused: text(answer.action === "decline" ? "The person declined." : "The person dismissed the question.") };
}

function build({ era }) {
  const codec = createRequestStateCodec({ key: KEY, bind: (ctx) => ctx.mcpReq.method });
  const list = { ttlMs: 300_000, cacheScope: "public" };
  const server = new McpServer(
    { name: "satchel-conformance", title: "Satchel, with the suite's fixtures", version: "0.1.0" },
    {
      capabilities: {
        tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, prompts: { listChanged: true }, completions: {}, logging: {},
        // What it says; there are no tasks here. The older revisions have no such field.
        ...(era === "modern" ? { extensions: { "io.modelcontextprotocol/tasks": {}, "io.modelcontextprotocol/ui": {} } } : {}),
      },
      instructions: "For tests.",
      cacheHints: { "tools/list": list, "prompts/list": list, "resources/templates/list": list, "server/discover": list },
      requestState: { verify: codec.verify },
    },
  );
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  const tool = (name, description, schema, call) =>
    server.registerTool(name, { description, inputSchema: fromJsonSchema(schema), annotations }, call);

  tool("test_simple_text", "A text", nothing, () => text("This is a simple text response for testing."));
  tool("test_image_content", "An image", nothing, () => ({ content: [image] }));
  tool("test_audio_content", "A sound", nothing, () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] }));
  tool("test_embedded_resource", "A resource", nothing, () => ({ content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")] }));
  tool("test_multiple_content_types", "A text, an image and a resource", nothing, () => ({
    content: [{ type: "text", text: "Multiple content types test:" }, image, embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')],
  }));
  tool("test_error_handling", "Fails", nothing, () => ({ ...text("This tool intentionally returns an error for testing"), isError: true }));
  tool("test_missing_capability", "Needs sampling", nothing, (_, ctx) => {
    needs(ctx, "sampling");
    return text("The client can sample.");
  });
  tool("test_custom_header", "An argument that a header repeats", { type: "object", properties: { value: { type: "string", "x-mcp-header": "Value" } }, required: ["value"] }, ({ value }) => text(value));
  tool("greet", "Greets, at once", { type: "object", properties: { name: { type: "string" } } }, ({ name }) => text(`Hello, ${name ?? ""}!`));
  tool("test_tool_with_progress", "Tells its progress", nothing, async (_, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100, message: `${progress} of 100` } });
      }
      await wait(20);
    }
    return text("Done, with progress");
  });
  tool("test_logging_tool", "Logs where the request wants it", nothing, async (_, ctx) => {
    for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await ctx.mcpReq.log("info", message, "tools");
    }
    return text("Done, with logs");
  });
  tool("test_input_required_result_elicitation", "Asks for a name", nothing, (_, ctx) => {
    const answer = named(ctx);
    if (!answer) {
      needs(ctx, "elicitation");
      return inputRequired({ inputRequests: { user_name: nameForm() } });
    }
    return answer.refused ?? text(`Hello, ${answer.name}!`);
  });
  tool("test_input_required_result_sampling", "Asks the client's model", nothing, (_, ctx) => {
    const answer = ctx.mcpReq.inputResponses?.capital;
    if (!answer?.content) {
      needs(ctx, "sampling");
      return inputRequired({ inputRequests: { capital: sampling("What is the capital of France?") } });
    }
    return text(`The model said: ${answer.content.text}`);
  });
  tool("test_input_required_result_list_roots", "Asks for folders", nothing, (_, ctx) => {
    const answer = ctx.mcpReq.inputResponses?.client_roots;
    if (!Array.isArray(answer?.roots)) {
      needs(ctx, "roots");
      return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    }
    return text(`The client has ${answer.roots.length} roots`);
  });
  tool("test_input_required_result_request_state", "Asks, and wants its state back", nothing, async (_, ctx) => {
    needs(ctx, "elicitation");
    if (!isElicited(ctx.mcpReq.inputResponses?.confirm)) {
      return inputRequired({ inputRequests: { confirm: okForm() }, requestState: await codec.mint({ asked: true }, ctx) });
    }
    return ctx.mcpReq.requestState() ? text("state-ok: the state came back") : { ...text("The state did not come back"), isError: true };
  });
  tool("test_input_required_result_multiple_inputs", "Asks three things at once", nothing, async (_, ctx) => {
    for (const capability of ["elicitation", "sampling", "roots"]) needs(ctx, capability);
    const answers = ctx.mcpReq.inputResponses ?? {};
    const complete = isElicited(answers.user_name) && answers.greeting?.content && Array.isArray(answers.client_roots?.roots);
    if (!complete) {
      const inputRequests = { user_name: nameForm(), greeting: sampling("Write a greeting"), client_roots: inputRequired.listRoots() };
      return inputRequired({ inputRequests, requestState: await codec.mint({ asked: true }, ctx) });
    }
    return text("All 3 answers are there");
  });

  const said = (content) => ({ role: "user", content });
  const words = (words) => said({ type: "text", text: words });
  const argument = { type: "string", description: "A text" };
  const prompt = (name, names, fill) => {
    const argsSchema = fromJsonSchema({ type: "object", properties: Object.fromEntries(names.map((name) => [name, argument])), required: names });
    server.registerPrompt(name, { description: "For the suite", ...(names.length ? { argsSchema } : {}) }, fill);
  };
  const filled = (...messages) => ({ description: "For the suite", messages });
  prompt("test_simple_prompt", [], () => filled(words("This is a simple prompt for testing.")));
  prompt("test_prompt_with_arguments", ["arg1", "arg2"], ({ arg1, arg2 }) => filled(words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)));
  prompt("test_prompt_with_embedded_resource", ["resourceUri"], ({ resourceUri }) =>
    filled(said(embedded(resourceUri, "text/plain", "Embedded resource content for testing.")), words("Please process the embedded resource above.")));
  prompt("test_prompt_with_image", [], () => filled(said(image), words("Please analyze the image above.")));
  prompt("test_input_required_result_prompt", [], (ctx) => {
    const answer = ctx.mcpReq.inputResponses?.user_context;
    if (!isElicited(answer)) {
      needs(ctx, "elicitation");
      return inputRequired({ inputRequests: { user_context: form("What context should the prompt use?", { context: { type: "string" } }, ["context"]) } });
    }
    return filled(words(`Use this context: ${answer.action === "accept" ? answer.content?.context : "none"}`));
  });

  const cacheHint = { ttlMs: 0, cacheScope: "private" };
  const resource = (name, uri, mimeType, content) =>
    server.registerResource(name, uri, { description: "For the suite", mimeType, cacheHint }, () => ({ contents: [{ uri, mimeType, ...content }] }));
  resource("static-text", "test://static-text", "text/plain", { text: "This is the content of the static text resource." });
  resource("static-binary", "test://static-binary", "image/png", { blob: PNG });
  resource("watched-resource", "test://watched-resource", "text/plain", { text: "Watched resource content" });
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined, complete: { id: () => [] } });
  server.registerResource("template", template, { description: "Data by id", mimeType: "application/json", cacheHint }, (uri, { id }) => ({
    contents: [{ uri: decodeURI(uri.href), mimeType: "application/json", text: JSON.stringify({ data: `Data for ID: ${decodeURIComponent(id)}`, id: decodeURIComponent(id), templateTest: true }) }],
  }));
  return server;
}

const KEY = randomBytes(32);

/** Starts it on a free port of this machine. */
export async function oracle() {
  const handler = createMcpHandler(build);
  const http = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = new Headers();
    for (let at = 0; at < request.rawHeaders.length; at += 2) headers.append(request.rawHeaders[at], request.rawHeaders[at + 1]);
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const body = ["GET", "HEAD"].includes(request.method) ? undefined : Buffer.concat(chunks);
    const asked = new Request(`http://${request.headers.host}${request.url}`, { method: request.method, headers, body, signal: gone.signal });
    // What ours does in its adapter, the SDK offers as functions.
    const answer =
      hostHeaderValidationResponse(asked, localhostAllowedHostnames()) ??
      originValidationResponse(asked, localhostAllowedOrigins()) ??
      (await handler.fetch(asked).catch((error) => new Response(String(error), { status: 500 })));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    if (answer.body) Readable.fromWeb(answer.body).on("error", () => response.destroy()).pipe(response);
    else response.end();
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${http.address().port}/mcp`,
    close: async () => {
      await handler.close();
      http.closeAllConnections();
      http.close();
    },
  };
}
