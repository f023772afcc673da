// Calls for the memory they leave behind.
import { keepAwake } from "./workers.js";

export async function add({ n, name, workers }) {
  for (let i = 0; i < n; i++) await workers[name].fetch("todo_create", { title: `Water the plants of row ${i}` });
}

export async function repeat({ n, name, workers }) {
  const worker = workers[name];
  const awake = keepAwake([worker]);
  for (let i = 0; i < n; i++) {
    await awake();
    const door = worker.channel && i % 2 ? "port" : "fetch";
    await worker[door]("todo_list", { limit: 10 });
  }
}
