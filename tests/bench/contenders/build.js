// Bundles the contenders into the folder named on the command line, minified as one would ship them.
import { copyFile, cp, mkdir } from "node:fs/promises";
import { build } from "esbuild";

const [out] = process.argv.slice(2);
const bundle = (entry, to, format) =>
  build({ entryPoints: [entry], outfile: `${out}/${to}`, bundle: true, minify: true, format, target: "es2022", logLevel: "warning" });

await bundle("floor/sw.js", "floor/sw.js", "iife");
await bundle("floor/list.js", "floor/list.js", "iife");
await bundle("peer/sw.js", "peer/sw.js", "iife");
await bundle("page/main.js", "bench/main.js", "esm");
await bundle("page/watch.js", "bench/watch.js", "iife");
await bundle("page/photo.js", "photo/main.js", "esm");
await bundle("page/photo-app.js", "photo/app.js", "iife");
await bundle("page/todo-app.js", "bench/todo-app.js", "iife");
await bundle("page/trip-app.js", "bench/trip-app.js", "iife");
for (const [from, to] of [["page/index.html", "bench/index.html"], ["floor/list.html", "floor/list.html"], ["floor/list.css", "floor/list.css"], ["page/photo.html", "photo/index.html"]]) {
  await copyFile(from, `${out}/${to}`);
}
// What finds faces comes as it is published, with its nets and with its pictures.
const modules = "node_modules/@vladmandic";
for (const [from, to] of [
  [`${modules}/human/dist/human.esm.js`, "human.esm.js"], [`${modules}/human/models`, "human"],
  [`${modules}/face-api/dist/face-api.esm.js`, "face-api.esm.js"], [`${modules}/face-api/model`, "face-api"],
  ["node_modules/@tensorflow/tfjs-backend-wasm/dist", "tfjs"],
]) {
  await cp(from, `${out}/photo/${to}`, { recursive: true });
}
await mkdir(`${out}/photo/samples`, { recursive: true });
for (const number of [1, 2, 3, 4, 5, 6]) await copyFile(`${modules}/face-api/demo/sample${number}.jpg`, `${out}/photo/samples/sample${number}.jpg`);
