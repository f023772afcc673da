// All the foreign clients that can be run here, against the native host over stdio and HTTP.
//   node clients/run.mjs <the program conformance-host>
//
// What each needs, in this folder: the TypeScript ones `npm ci` (one folder up); the Python one
// `python3 -m venv .venv && .venv/bin/pip install -r requirements.txt`, or a python3 that has the package already; the Rust
// one cargo, and what `rmcp/Cargo.lock` names. A client that is not there is skipped, and that is said at the end.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { host } from "../hosts.mjs";

const program = process.argv[2] && resolve(process.argv[2]);
if (!program) {
  console.error("usage: node clients/run.mjs <the program conformance-host>");
  process.exit(2);
}
const here = fileURLToPath(new URL(".", import.meta.url));

/** Runs a command to its end: its exit code, and what it said where that is not shown. */
function run(command, args, { shown = false, cwd = here } = {}) {
  return new Promise((done) => {
    let said = "";
    const child = spawn(command, args, { cwd, stdio: ["ignore", shown ? "inherit" : "pipe", shown ? "inherit" : "pipe"] });
    child.stdout?.on("data", (data) => (said += data));
    child.stderr?.on("data", (data) => (said += data));
    child.on("error", (error) => done({ code: -1, said: String(error) }));
    child.on("close", (code) => done({ code, said: said.trim() }));
  });
}

/** That a call which is cancelled writes nothing says something only if one that is not cancelled writes. */
async function control() {
  const { url, close } = await host("http", program);
  const call = async (name) => {
    const headers = { "content-type": "application/json", accept: "application/json", "mcp-protocol-version": "2025-11-25" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } });
    return (await fetch(url, { method: "POST", headers, body })).text();
  };
  await call("test_slow_write");
  const found = (await call("todo_list")).includes("written by test_slow_write");
  await close();
  console.log(`${found ? "ok    " : "FAILED"}  control: a call that nobody cancels writes`);
  return found;
}

/** A client: what is missing for it, or how to run it. */
const CLIENTS = {
  "TypeScript (client, sdk)": async (url) => {
    const missing = ["client", "sdk"].filter((name) => !existsSync(join(here, "../node_modules/@modelcontextprotocol", name)));
    if (missing.length) return { missing: `@modelcontextprotocol/${missing.join(" and /")}: run npm ci` };
    return { command: process.execPath, args: ["node_client.mjs", program, url] };
  },
  "Python (mcp)": async (url) => {
    const own = [".venv/bin/python", ".venv/Scripts/python.exe"].map((path) => join(here, path)).find(existsSync);
    const python = own ?? "python3";
    const wanted = (await readFile(join(here, "requirements.txt"), "utf8")).trim();
    const { code, said } = await run(python, ["-c", "from importlib.metadata import version; print('mcp==' + version('mcp'))"]);
    if (code !== 0) return { missing: code === -1 ? "python3" : `the package ${wanted}: see the head of this file` };
    if (said !== wanted) return { missing: `the package ${wanted} (there is ${said})` };
    return { command: python, args: ["python_client.py", program, url] };
  },
  "Rust (rmcp)": async (url) => {
    const cwd = join(here, "rmcp");
    if ((await run("cargo", ["--version"])).code !== 0) return { missing: "cargo" };
    const { code, said } = await run("cargo", ["fetch", "--locked"], { cwd });
    if (code !== 0) return { missing: `the packages of rmcp/Cargo.lock: ${said.split("\n").at(-1)}` };
    return { command: "cargo", args: ["run", "--locked", "--quiet", "--", program, url], cwd };
  },
};

let failed = (await control()) ? 0 : 1;
const skipped = [];
for (const [name, prepare] of Object.entries(CLIENTS)) {
  const { url, close } = await host("http", program);
  const { missing, command, args, cwd } = await prepare(url);
  if (missing) skipped.push(`${name}: there is no ${missing}`);
  else if ((await run(command, args, { shown: true, cwd })).code !== 0) failed += 1;
  await close();
}
for (const words of skipped) console.log(`SKIPPED  ${words}`);
const ran = Object.keys(CLIENTS).length - skipped.length;
console.log(failed ? `${failed} of ${ran} clients found something wrong` : `${ran} clients are content, ${skipped.length} skipped`);
process.exit(failed || ran === 0 ? 1 : 0);
