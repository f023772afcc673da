// Runs the official suite, and says in a line how that went.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SUITE = here("node_modules/@modelcontextprotocol/conformance/dist/index.js");
const NODE = here("node_modules/node/bin/node"); // the suite needs 22 or newer

// Whether it passed. `count` finds in what it said what is worth a place in the line; of a failure the end is shown.
export function suite(name, args, count) {
  return new Promise((resolve) => {
    const child = spawn(NODE, [SUITE, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    child.stdout.on("data", (data) => (said += data));
    child.stderr.on("data", (data) => (said += data));
    child.on("close", (code) => {
      console.log(`${code === 0 ? "ok    " : "FAILED"}  ${name}  ${count(said)}`);
      if (code !== 0) console.log(said.split("\n").slice(-80).join("\n"));
      resolve(code === 0);
    });
  });
}
