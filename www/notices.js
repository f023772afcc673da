// The part of the worker's script that tells things at a time (docs/adr/0071-reminders.md). `cargo xtask build` puts it into sw.js,
// whose names it uses.
//
// A resource lists `notices`, and when the `next` one comes. What became of each on this device stands in a cache of its own, by its
// tag: that it was `told`, is put off `until` (ms), is `gone`.
const NOTICES = `satchel-notices ${SCOPE}`;
const [DAY, MOST_TOLD] = [864e5, 5]; // ms; so many notifications at once, the rest in one
const wall = (ms) => new Date(ms - new Date(ms).getTimezoneOffset() * 6e4).toISOString().slice(0, 16);
let looking = Promise.resolve();
const look = (...what) => (looking = looking.catch(() => {}).then(() => looked(...what)));
async function ask(method, name, params, key) {
  await ready();
  const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}, ...(key && { "dev.satchel/key": key }) };
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } };
  const accept = "application/json, text/event-stream";
  const headers = { "content-type": "application/json", accept, "mcp-protocol-version": "2026-07-28", "mcp-method": method, "mcp-name": name };
  const answer = JSON.parse((await handle("POST", JSON.stringify(headers), JSON.stringify(body))).body);
  return answer.result && !answer.result.isError ? answer.result : Promise.reject(new Error(`${name}: ${JSON.stringify(answer)}`));
}
async function looked(uri, { tags = [], put, now = wall(Date.now()) } = {}) {
  const before = await (await caches.match(SCOPE, { cacheName: NOTICES }))?.json();
  const found = JSON.parse((await ask("resources/read", `${uri}?now=${now}`, { uri: `${uri}?now=${now}` })).contents[0].text);
  const isKept = ([tag, { seen }]) => seen > Date.now() - 30 * DAY || found.notices.some((notice) => notice.tag === tag);
  const is = Object.fromEntries(Object.entries(before ?? {}).filter(isKept));
  for (const tag of tags) is[tag] = { ...is[tag], seen: Date.now(), ...put };
  const active = found.notices.filter(({ tag }) => !is[tag]?.gone && !(is[tag]?.until > Date.now()));
  const untold = active.filter(({ tag }) => !is[tag]?.told || is[tag].until);
  // Not every browser has notifications; what is told stands over the page all the same.
  const all = await Promise.resolve(registration.getNotifications?.()).catch(() => []);
  const notes = (all ?? []).filter(({ data }) => data?.uri === uri);
  const isOver = ({ tag, data }) => (data.actions.length ? !active.some((notice) => notice.tag === tag) : !active.length);
  notes.filter(isOver).forEach((note) => note.close());
  const told = new Date();
  // The latest by themselves: of those one is on time.
  const most = Math.max(0, untold.length - MOST_TOLD);
  for (const [place, { tag }] of untold.entries()) {
    if (place >= most) await tell(uri, untold[place]);
    is[tag] = { told: +told, seen: +told };
  }
  if (most) await tell(uri, { tag: `more ${uri}`, title: `${most} more reminders`, open: "", actions: [] });
  if (tags.length || untold.length) {
    await caches.open(NOTICES).then((cache) => cache.put(SCOPE, Response.json(is))).catch(() => {}); // where there is no room it may be told again
    (await pages()).forEach((page) => page.postMessage({ satchel: "notices" }));
  }
  // What came last, or came again, is the last.
  active.sort((one, other) => (is[one.tag].told ?? 0) - (is[other.tag].told ?? 0));
  const until = Object.values(is).map(({ until }) => until).filter((until) => until > Date.now()).map(wall);
  return { text: JSON.stringify(active), next: [found.next, ...until].filter(Boolean).sort()[0] };
}
// Shown again under its tag it replaces itself, without a sound.
async function tell(uri, { tag, title, body, open, actions }) {
  if (globalThis.Notification?.permission !== "granted") return;
  const buttons = actions.map(({ action, title }) => ({ action, title }));
  const more = actions.length ? [...buttons, { action: "later", title: "In 10 minutes" }] : [];
  const data = { uri, open, actions };
  await registration.showNotification(title, { tag, body, data, actions: more, icon: "icons/icon-192.png", requireInteraction: true }).catch(() => {});
}
async function choose({ tag, data: { uri, open, actions } }, chosen) {
  const act = actions.find(({ action }) => action === chosen);
  if (act) await ask("tools/call", act.tool, { name: act.tool, arguments: act.arguments }, `${chosen} ${tag}`.slice(-128));
  if (!chosen) {
    const page = (await pages()).find(({ url }) => url.startsWith(SCOPE));
    page?.postMessage({ satchel: "go", to: open });
    await (page ? page.focus() : clients.openWindow(open ? `${SCOPE}#${open}` : SCOPE)).catch(() => {});
  }
  await look(uri, { tags: [tag], put: chosen === "later" ? { until: Date.now() + 6e5 } : { gone: true } });
}
addEventListener("notificationclick", (event) => {
  event.notification.close();
  if (event.notification.data?.uri) event.waitUntil(choose(event.notification, event.action));
});
addEventListener("periodicsync", (event) => event.waitUntil(look(event.tag)));
// By fetch: a worker that another waits for is kept for half a minute by each message to it.
async function answerLook(request) {
  const { method, destination, headers } = request;
  const json = /^application\/json/i.test(headers.get("content-type") ?? "");
  if (method !== "POST" || destination || !json || (headers.get("origin") ?? location.origin) !== location.origin) return refuse(403, "Only pages of this app ask");
  const { uri, ...what } = await request.json();
  return look(uri, what).then((found) => Response.json(found), () => Response.json(null)); // the list itself says what is wrong
}
