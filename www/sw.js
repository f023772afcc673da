// The service worker's script: listeners first, the server behind them in wasm.
import init from "./service-worker.js";

const VERSION = "__SATCHEL_VERSION__"; // filled in by `cargo xtask build`: changes with any asset
const ASSETS = __SATCHEL_ASSETS__;

const ready = () => init();
addEventListener("install", (event) => event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(ASSETS))));
addEventListener("activate", (event) => event.waitUntil(ready()));
