// The service worker's script: listeners first, the server behind them in wasm. The only JavaScript
// written by hand. Everything is relative to the scope, so the app may live in any folder.
import init, { forget, handle, open_port, picture, warm } from "./service-worker.js";

const VERSION = "__SATCHEL_VERSION__"; // `cargo xtask build` writes these and what is told: any changed byte is a new version
const ASSETS = __SATCHEL_ASSETS__;
const LIMITS = new Map(Object.entries(__SATCHEL_LIMITS__)); // the most bytes of a call of a tool; of any other
const [SCOPE, CACHES] = [registration.scope, `satchel ${registration.scope} `]; // another folder has caches of its own
const CACHE = CACHES + VERSION;
const [API, ENDPOINT, BLOBS, WASM] = ["api/", "api/mcp", "blobs/", "service-worker_bg.wasm"].map((path) => new URL(path, SCOPE));
const [SHARE, SHARED] = [new URL("share", SCOPE), `satchel-shared ${SCOPE}`]; // as the manifest has it; where pictures wait
const LAZY = /^(photo|rehearsal|tables)\//; // what looks at photos, plays rehearsals, and what trips read: not installed, but kept from the first time on
const cached = (request, options) => caches.match(request, { cacheName: CACHE, ignoreVary: true, ...options });

// Compiled once per start, from the cache. The network is for a cache that somebody emptied.
let [started, asked] = []; // the server; that somebody wants us to take over
const load = async () => init({ module_or_path: (await cached(WASM)) ?? fetch(WASM, { integrity: ASSETS["service-worker_bg.wasm"] }) }).then(warm);
const ready = () => (started ??= load().catch((error) => ((started = undefined), Promise.reject(error))));
if (self.serviceWorker?.state === "activated") ready().catch(() => {}); // while the browser brings what woke us
async function keep(cache, [path, integrity]) {
  const url = new URL(path, SCOPE);
  const response = await fetch(url, { cache: "no-cache", integrity }); // a file of another build is no part of this one
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
  const { redirected, body, headers } = response; // a navigation takes no answer that was redirected
  await cache.put(url, redirected ? new Response(body, { headers }) : response);
}
const [all, lazy] = [false, true].map((is) => Object.entries(ASSETS).filter(([path]) => LAZY.test(path) === is));
const take = async (files) => caches.open(CACHE).then((cache) => Promise.all(files.map((file) => keep(cache, file))));
// What an app begins without, the page's other parts: fetched once it is in use.
const later = all.filter(([path]) => /^ui-(?!builtin-|cards-)[a-z]+-[0-9a-f]+\.wasm$/.test(path));
// Whoever had what is lazy in the build before has it in this one, too: it works without a network.
const had = async (file) => ((await caches.match(new URL(file[0], SCOPE), { ignoreVary: true })) ? [file] : []);
const again = async () => (await Promise.all(lazy.map(had))).flat();
const coming = new Map(); // several workers begin at once: each file comes once
const fetched = (file) => coming.set(file[0], missing(file).then(take).finally(() => coming.delete(file[0]))).get(file[0]);
const lazily = (file) => (coming.get(file[0]) ?? fetched(file)).then(() => cached(new URL(file[0], SCOPE)));
// For the server in wasm. What is slow comes all the same, and is there when it is asked for again; a page takes who answers late for hung.
self.table = (path) => Promise.race([lazily([path, ASSETS[path]]), new Promise((_, reject) => setTimeout(() => reject(path), 8000))]);
const missing = async (file) => ((await cached(new URL(file[0], SCOPE))) ? [] : [file]);
const rest = async () => take((await Promise.all(later.map(missing))).flat()).then(tidy);
// Pages of the build before may live on beside the one that took this build: their parts stay as long. What came after us is
// that of a build that waits: the names are in the order in which they were made.
async function tidy() {
  const [names, open] = [await caches.keys(), await pages()];
  const old = names.slice(0, names.indexOf(CACHE)).filter((name) => name.startsWith(CACHES));
  await Promise.all(old.slice(0, open.length > 1 ? -1 : undefined).map((name) => caches.delete(name)));
}
const pages = () => clients.matchAll({ type: "window", includeUncontrolled: true });
// Whoever wakes the one that goes has us wait until it has nothing to do again.
const told = () => (asked = pages().then((all) => all.forEach((page) => page.postMessage({ satchel: "taking-over" })), () => {}));
const refuse = (status, message, headers, code = status < 500 ? -32600 : -32603) =>
  Response.json({ jsonrpc: "2.0", error: { code, message } }, { status, headers });

// Pieces as they come. Cancelled when the client goes away: only an open stream tells us of that.
const streamed = (events, encoder = new TextEncoder()) =>
  new ReadableStream({
    pull: (out) => events.next().then((text) => (text === undefined ? out.close() : out.enqueue(encoder.encode(text)))),
    cancel: () => events.cancel(),
  });

// Who may call at all, before any of our code runs. A page elsewhere can send a form here, but not this.
async function answer(request) {
  const { destination, method, headers } = request;
  const [type, origin] = ["content-type", "origin"].map((name) => headers.get(name));
  const bare = ["GET", "DELETE"].includes(method) && headers.has("mcp-session-id"); // a session's stream, and its end
  if (destination || (method !== "POST" && !bare)) return refuse(405, "The endpoint takes POST only", { allow: "POST" });
  if (!bare && !/^application\/json\s*(;|$)/i.test(type ?? "")) return refuse(415, "Only application/json is taken");
  if (origin && origin !== location.origin) return refuse(403, "This origin may not use the server");
  try {
    const [body, most] = [await request.text(), LIMITS.get(headers.get("mcp-name")) ?? LIMITS.get("")];
    if (body.length > most) return refuse(413, `Larger than ${most >> 20} MiB`); // wasm memory never shrinks
    await ready();
    const { status, headers_json, events, body: text } = await handle(method, JSON.stringify(Object.fromEntries(headers)), body);
    const answered = events ? streamed(events) : text || null;
    return new Response(answered, { status, headers: JSON.parse(headers_json) });
  } catch (reason) {
    return refuse(503, `The tool server does not start: ${reason}`);
  }
}

// A picture by the hash of its bytes: for an image of a page of ours, and nothing else.
const pictured = async ({ destination, method }, hash) =>
  destination === "image" && method === "GET" ? ready().then(() => picture(hash)) : new Response(null, { status: 404 });
// What another app shares: the one navigation that is taken as a POST (docs/adr/0067-ways-in.md). Whoever sends it, pictures wait in
// a cache until the person says that they come in: at most 500 and 1 GB, each of at most 200 MB. How many more there were is told.
const isShared = ({ url, method, mode, headers }) =>
  url === SHARE.href && method === "POST" && mode === "navigate" && lazy.length && [null, "null", location.origin].includes(headers.get("origin"));
async function share(request) {
  const [form, to] = [await request.formData(), new URL(SCOPE)];
  const given = form.getAll("photos").filter((file) => file.size);
  const pictures = given.length && [["do", "photos"], ["left", await wait(given)]];
  const words = pictures || [...form].filter(([name]) => ["title", "text", "url"].includes(name));
  words.forEach(([name, text]) => text && to.searchParams.set(name, text));
  return Response.redirect(to, 303);
}
async function wait(given) {
  const cache = await caches.open(SHARED);
  const waiting = await Promise.all((await cache.keys()).map(async (key) => +(await cache.match(key))?.headers.get("x-bytes") || 0));
  let [free, left] = [waiting.reduce((free, bytes) => free - bytes, 2 ** 30), 0];
  for (const file of given) {
    const headers = { "x-name": encodeURIComponent(file.name.toWellFormed?.() ?? file.name), "x-bytes": file.size };
    const put = async () => cache.put(`${SHARE}/${crypto.randomUUID()}`, new Response(file, { headers }));
    const fits = waiting.length < 500 && file.size <= Math.min(free, 200 * 2 ** 20);
    fits && (await put().then(() => waiting.push(file.size), () => {})) ? (free -= file.size) : left++;
  }
  return left;
}
__SATCHEL_NOTICES__; // www/notices.js: what is told at a time
// The shell works without a network; what is not part of it is the network's, and the shell's without one.
const page = async (get) => (await cached(get, { ignoreSearch: true })) ?? fetch(get).catch(() => cached(SCOPE));
addEventListener("install", (event) => {
  const at = (path, url) => ({ urlPattern: { pathname: new URL(path, SCOPE).pathname, ...url } });
  const away = { condition: { ...at("api/*"), requestMode: "navigate" }, source: "network" }; // guarded below as well
  const kept = (condition) => ({ condition, source: { cacheName: CACHE } }); // for a page, should we hang
  const shell = all.map(([path]) => kept({ ...at(path, { search: "" }), runningStatus: "running" }));
  event.addRoutes?.([away, kept(at("service-worker*")), ...shell])?.catch(() => {});
  // A later version is taken whole, and waits to be asked.
  const first = registration.active ? all : all.filter((file) => !later.includes(file));
  event.waitUntil(again().then((more) => take([...first, ...more])).then(() => registration.active || skipWaiting()));
});
addEventListener("activate", (event) => event.waitUntil(tidy().then(() => clients.claim())));
addEventListener("fetch", (event) => {
  const [request, url] = [event.request, new URL(event.request.url)];
  if (!url.href.startsWith(SCOPE)) return;
  if (url.pathname.startsWith(API.pathname)) {
    // A navigation may come from anywhere: the network says 405.
    const here = request.mode !== "navigate" && { [ENDPOINT.pathname]: answer, [`${API.pathname}notices`]: answerLook }[url.pathname];
    if (here) event.respondWith(here(request));
  } else if (url.pathname.startsWith(BLOBS.pathname)) {
    event.respondWith(pictured(request, url.pathname.slice(BLOBS.pathname.length)));
  } else if (isShared(request)) {
    event.respondWith(share(request).catch(() => Response.redirect(`${SCOPE}?do=photos&left=all`, 303)));
  } else if (request.method === "GET" && lazy.some(([path]) => url.href === SCOPE + path)) {
    event.respondWith(lazily(lazy.find(([path]) => url.href === SCOPE + path)));
  } else if (request.method === "GET") {
    const older = url.pathname.includes("/ui-") && { cacheName: undefined }; // named by content: any build's is the same
    const which = { ignoreSearch: url.href.startsWith(`${SCOPE}?`) }; // a page asks which build a reload would bring
    const kept = async () => (await cached(request, which)) ?? (await cached(request, older || {})) ?? fetch(request);
    event.respondWith(request.mode === "navigate" ? page(request) : kept());
  }
});
addEventListener("message", (event) => {
  const [{ satchel, version }, [port]] = [event.data ?? {}, event.ports]; // a "ping" need only arrive, to keep us awake
  if (satchel === "port" && port) event.waitUntil(ready().then(() => open_port(version, port), () => port.close()));
  const also = { claim: () => clients.claim(), "skip-waiting": () => told().then(() => skipWaiting()), asked: async () => asked && told(), forget: () => ready().then(forget), rest };
  if (Object.hasOwn(also, satchel ?? "")) event.waitUntil(also[satchel]());
});
