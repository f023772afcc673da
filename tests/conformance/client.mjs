// The official suite against the client of servers elsewhere: every required scenario of two revisions, and the sign-in of servers that
// are older than both. Builds nothing.
//   node client.mjs <path of the example `official` of crates/remote>
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve as absolute } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SUITE = here("node_modules/@modelcontextprotocol/conformance/dist/index.js");
const NODE = here("node_modules/node/bin/node"); // the suite needs 22 or newer
const OLDEST = "2025-03-26";
const RUNS = [
  ["required 2026-07-28", ["--requirements", "2026-07-28"]],
  ["required 2025-11-25", ["--requirements", "2025-11-25"]],
  // No set of requirements has them; it is how servers without metadata are signed in at.
  ...["metadata-backcompat", "endpoint-fallback"].map((name) => [
    `${name} ${OLDEST}`,
    ["--scenario", `auth/${OLDEST}-oauth-${name}`, "--spec-version", OLDEST],
  ]),
];

function run(program, out, name, args) {
  return new Promise((resolve) => {
    const child = spawn(NODE, [SUITE, "client", "--command", program, "-o", out, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    child.stdout.on("data", (data) => (said += data));
    child.stderr.on("data", (data) => (said += data));
    child.on("close", (code) => {
      // What the suite runs without scoring it is named again at the end.
      const unscored = new Set([...said.matchAll(/^ +[✓✗] (\S+) \(/gm)].map(([, scenario]) => scenario));
      const scored = [...said.matchAll(/^([✓✗]) (\S+):/gm)].filter(([, , scenario]) => !unscored.has(scenario));
      const passed = scored.filter(([, mark]) => mark === "✓").length;
      const count = scored.length ? `${passed} of ${scored.length} scenarios` : (said.match(/^Passed: .*$/m)?.[0] ?? "");
      console.log(`${code === 0 ? "ok    " : "FAILED"}  client, ${name}  ${count}`);
      if (code !== 0) console.log(said.split("\n").slice(-80).join("\n"));
      resolve(code === 0);
    });
  });
}

// All of it; how many runs failed.
export async function runClient(program) {
  const out = await mkdtemp(join(tmpdir(), "conformance-client-"));
  let failed = 0;
  for (const one of RUNS) failed += (await run(program, out, ...one)) ? 0 : 1;
  await rm(out, { recursive: true, force: true });
  return failed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exit((await runClient(absolute(process.argv[2]))) ? 1 : 0);
}
