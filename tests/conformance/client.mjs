// The official suite against the client of servers elsewhere: every required scenario of two revisions, and the sign-in of servers that
// are older than both. Builds nothing.
//   node client.mjs <path of the example `official` of crates/remote>
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve as absolute } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "./suite.mjs";

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

function count(said) {
  // What the suite runs without scoring it is named again at the end.
  const unscored = new Set([...said.matchAll(/^ +[✓✗] (\S+) \(/gm)].map(([, scenario]) => scenario));
  const scored = [...said.matchAll(/^([✓✗]) (\S+):/gm)].filter(([, , scenario]) => !unscored.has(scenario));
  const passed = scored.filter(([, mark]) => mark === "✓").length;
  return scored.length ? `${passed} of ${scored.length} scenarios` : (said.match(/^Passed: .*$/m)?.[0] ?? "");
}

// All of it; how many runs failed.
export async function runClient(program) {
  const out = await mkdtemp(join(tmpdir(), "conformance-client-"));
  let failed = 0;
  for (const [name, args] of RUNS) {
    failed += (await suite(`client, ${name}`, ["client", "--command", program, "-o", out, ...args], count)) ? 0 : 1;
  }
  await rm(out, { recursive: true, force: true });
  return failed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exit((await runClient(absolute(process.argv[2]))) ? 1 : 0);
}
