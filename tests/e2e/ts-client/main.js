// The official client as any page would use it: connect, list, call, in a version negotiation mode.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export async function run(url, mode) {
  const options = mode ? { versionNegotiation: { mode } } : {};
  const client = new Client({ name: "e2e", version: "1.0.0" }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const listed = await client.listTools();
  const created = await client.callTool({ name: "todo_create", arguments: { title: `From the client, ${mode ?? "default"}` } });
  const list = await client.callTool({ name: "todo_list", arguments: {} });
  const refused = await client.callTool({ name: "todo_create", arguments: { title: "" } });
  const resources = await client.listResources();
  const read = await client.readResource({ uri: "todo://list" });
  const outcome = {
    server: client.getServerVersion?.() ?? null,
    tools: listed.tools.map((tool) => tool.name),
    created: created.structuredContent,
    titles: list.structuredContent.items.map((item) => item.title),
    refused: refused.isError === true,
    resources: resources.resources.map((r) => r.uri),
    readable: read.contents.length,
  };
  await client.close();
  return outcome;
}
