// The to-dos every contender keeps: the same fields, the same bytes, made from a number.

export const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 22);
const PRIORITIES = ["none", "low", "medium", "high", "urgent"];
const day = (n) => new Date(START + n * DAY).toISOString().slice(0, 10);

// To-do number i of `count`; each list holds 50, so that a filter by list finds 50 whatever the count is.
export function makeTodo(i, count) {
  const stamp = new Date(START + i * 1000).toISOString().replace(/\.\d+Z$/, "Z");
  return {
    id: `todo_${String(i).padStart(12, "0")}`,
    title: `Water the plants of row ${i}`,
    notes: "",
    status: "open",
    due: day((i * 7) % 90),
    priority: PRIORITIES[i % 5],
    tags: ["home"],
    list: `List ${i % Math.max(1, Math.floor(count / 50))}`,
    order: i + 1,
    created: stamp,
    updated: stamp,
  };
}

export const makeTodos = (count) => Array.from({ length: count }, (_, i) => makeTodo(i, count));

// What a create writes: the arguments and what every to-do has.
export function newTodo(id, { title, due, list, priority, tags }, order) {
  const stamp = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const dated = due === undefined ? {} : { due };
  return {
    id, title, notes: "", status: "open", ...dated, priority: priority ?? "none", tags: tags ?? [],
    list: list ?? "Inbox", order, created: stamp, updated: stamp,
  };
}

// By due date, then by place: the order in which to-dos are listed.
export const byDue = (a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : a.order - b.order);

export const created = (todo) => ({ summary: `Added “${todo.title}”.`, changes: [{ before: null, after: todo }] });

export function page(found, limit) {
  const open = found.filter((todo) => todo.status === "open").sort(byDue);
  const more = open.length > limit ? { next_cursor: `{"sort":"due","id":"${open[limit - 1].id}"}` } : {};
  return { items: open.slice(0, limit), total: open.length, ...more };
}
