// What those need who use the app's page as a person does.
import { frame } from "./sample.js";

export const find = (testid) => document.querySelector(`[data-testid="${testid}"]`);

// What `is` gives, as soon as it gives something.
export async function until(what, is, seconds = 60) {
  const end = performance.now() + seconds * 1_000;
  for (let value; ; await frame()) {
    if ((value = is())) return value;
    if (performance.now() > end) throw new Error(`${what} did not come within ${seconds} s`);
  }
}

// Calls a tool of the page's worker.
export async function call(name, args) {
  const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta: meta } });
  const { result, error } = await (await fetch("api/mcp", { method: "POST", headers, body })).json();
  if (error || result.isError) throw new Error(`${name}: ${JSON.stringify(error ?? result).slice(0, 300)}`);
  return result.structuredContent;
}
