// Bundles the contenders into the folder named on the command line, minified as one would ship them.
import { copyFile } from "node:fs/promises";
import { build } from "esbuild";

const [out] = process.argv.slice(2);
const bundle = (entry, to, format) =>
  build({ entryPoints: [entry], outfile: `${out}/${to}`, bundle: true, minify: true, format, target: "es2022", logLevel: "warning" });

await bundle("floor/sw.js", "floor/sw.js", "iife");
await bundle("floor/list.js", "floor/list.js", "iife");
await bundle("peer/sw.js", "peer/sw.js", "iife");
await bundle("page/main.js", "bench/main.js", "esm");
await bundle("page/watch.js", "bench/watch.js", "iife");
for (const [from, to] of [["page/index.html", "bench/index.html"], ["floor/list.html", "floor/list.html"], ["floor/list.css", "floor/list.css"]]) {
  await copyFile(from, `${out}/${to}`);
}
