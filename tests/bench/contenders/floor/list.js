// The floor of the page: a list of to-dos by hand over the floor's worker, with only those rows in the
// document that can be seen. One request for all to-dos, fixed heights, rows that are used again.

const ROW = 48;
const SPARE = 6; // rows above and below what can be seen

const list = document.getElementById("list");
const [rows] = list.children;
let todos = [];
const shown = [];

function makeRow() {
  const row = document.createElement("li");
  row.dataset.testid = "todo-item";
  const box = document.createElement("input");
  box.type = "checkbox";
  const title = document.createElement("span");
  const due = document.createElement("time");
  row.append(box, title, due);
  rows.append(row);
  return { row, box, title, due, at: -1 };
}

function render() {
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - SPARE);
  const count = Math.min(todos.length - first, Math.ceil(list.clientHeight / ROW) + 2 * SPARE);
  while (shown.length < count) shown.push(makeRow());
  for (let at = first; at < first + count; at++) {
    const view = shown[at % shown.length];
    if (view.at === at) continue;
    view.at = at;
    const todo = todos[at];
    view.row.style.transform = `translateY(${at * ROW}px)`;
    view.box.checked = todo.status === "done";
    view.title.textContent = todo.title;
    view.due.textContent = todo.due;
  }
}

function show(found) {
  todos = found;
  rows.style.height = `${todos.length * ROW}px`;
  render();
}

async function start() {
  const registration = await navigator.serviceWorker.register("sw.js", { updateViaCache: "none" });
  await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const greeting = new Promise((resolve) => (port1.onmessage = resolve));
  registration.active.postMessage({}, [port2]);
  await greeting;
  const answer = new Promise((resolve) => (port1.onmessage = resolve));
  const params = { name: "todo_list", arguments: { limit: 1_000_000 } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  port1.postMessage({ id: 1, body });
  const { result } = JSON.parse((await answer).data.body);
  show(result.structuredContent.items);
  const status = document.querySelector('[data-testid="status"]');
  status.textContent = `${todos.length} to-dos`;
  status.dataset.worker = "worker";
  document.querySelector('[data-testid="composer"]').disabled = false;
}

list.addEventListener("scroll", render, { passive: true });
start();
