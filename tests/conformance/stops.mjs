// The server is stopped without a word, at any moment of what it is doing: nothing is lost, nothing is done twice, and
// nothing waits for ever. A worker is stopped as the browser stops an idle one, the host on this machine is killed.
//   node stops.mjs worker <folder of the app> [stops] [seed]     node stops.mjs http <path of conformance-host> …
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { random } from "./checks.mjs";
import { host } from "./hosts.mjs";
import { KEY, KNOWS_TASKS, Modern, newId, Session, sleep, SUBSCRIPTION, within } from "./wire.mjs";

const FORMS = { elicitation: {} };
const LIST = "todo://list";
const YES = { action: "accept", content: { sure: true } };

// An answer that is none: the server was stopped meanwhile. Everything else that goes wrong is a fault.
const ATTEMPT_MS = 10_000;
const ATTEMPTS = 20;

const isNews = ({ method, params }) => method === "notifications/resources/updated" && params.uri === LIST;

class Run {
  faults = [];
  // By what was interrupted, how often.
  broken = {};
  // Where everything is now, and where it was when a stop came.
  now = {};
  hits = {};
  once = new Set(); // titles with a key: exactly once
  maybe = new Map(); // titles without: whether their call was answered
  tasks = new Map(); // ids, and what they have become
  sessions = [];

  constructor(served, seed) {
    this.served = served;
    this.modern = new Modern(served.url);
    this.dice = random(seed);
  }

  fault(message) {
    this.faults.push(message);
  }

  // Tries until there is an answer: what the network does to a request is nobody's fault, an answer that is wrong is.
  async sure(what, attempt) {
    for (let tries = 0; tries < ATTEMPTS; tries++) {
      try {
        const answer = await within(attempt(), ATTEMPT_MS, what);
        if (answer.status < 500) return answer;
      } catch (error) {
        if (/nothing after/.test(error.message)) this.fault(`it hangs: ${error.message}`);
      }
      this.broken[what] = (this.broken[what] ?? 0) + 1;
      await sleep(20 + tries * 20);
    }
    throw new Error(`${what}: no answer after ${ATTEMPTS} attempts`);
  }

  right(what, answer) {
    if (answer.status !== 200 || answer.error || !answer.result || answer.result.isError) {
      throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.error ?? answer.result)}`);
    }
    return answer.result;
  }

  async pause(ms) {
    await sleep(this.dice() * ms);
  }

  // (a) A stream of progress, whose call has a key.
  async progress(round) {
    const title = `stops ${round} progress`;
    const meta = { progressToken: round, [KEY]: title };
    const call = async () => {
      const params = { name: "test_slow_write", arguments: { title, ms: 200 } };
      const stream = await this.modern.open("tools/call", params, { meta });
      if (!stream.isStream) return { status: stream.status, ...(await stream.json()) };
      let last;
      for (let message; (message = await stream.next(ATTEMPT_MS)); last = message) this.now.stream = "open";
      if (last?.id !== stream.id) throw new Error("the stream ended");
      this.now.stream = "after";
      return { status: 200, ...last };
    };
    this.right(title, await this.sure("progress", call));
    this.once.add(title);
  }

  // The same without a key: what broke off may have been done.
  async unkeyed(round) {
    const title = `stops ${round} unkeyed`;
    let isAnswered = false;
    try {
      const call = this.modern.call("test_slow_write", { title, ms: 200 }, { meta: { progressToken: "u" } });
      const { status, error, result } = await within(call, ATTEMPT_MS, title);
      isAnswered = status === 200 && !error && Boolean(result);
    } catch (error) {
      if (/nothing after/.test(error.message)) this.fault(`it hangs: ${error.message}`);
    }
    this.maybe.set(title, isAnswered);
  }

  // The same in a session.
  async sessionProgress(round, session) {
    const title = `stops ${round} session progress`;
    const call = () => session.call("test_slow_write", { title, ms: 200 }, { token: title, key: title });
    this.right(title, await this.sure("session progress", call));
    this.once.add(title);
  }

  // (b) A question of the modern protocol: between its rounds the server may be another one.
  async elicitation(round) {
    const title = `stops ${round} elicitation`;
    const ask = (params) => {
      const options = { caps: FORMS, meta: { [KEY]: title }, params };
      return this.modern.call("test_slow_write", { title, ask: true, ms: 50 }, options);
    };
    const question = this.right(title, await this.sure("question", () => ask({})));
    if (question.resultType !== "input_required") throw new Error(`${title}: it did not ask`);
    this.now.question = "asked";
    await this.pause(400);
    this.now.question = "answered";
    const params = { inputResponses: { sure: YES }, requestState: question.requestState };
    const result = this.right(title, await this.sure("answer", () => ask(params)));
    if (result.resultType !== "complete") throw new Error(`${title}: the answer did not count`);
    this.now.question = "after";
    this.once.add(title);
  }

  // (b) A question in a session: it goes with its stream, the session stays.
  async sessionElicitation(round, session) {
    const title = `stops ${round} session elicitation`;
    const attempt = async () => {
      const id = newId();
      const params = { name: "test_slow_write", arguments: { title, ask: true, ms: 50 }, _meta: { [KEY]: title } };
      const stream = await session.open("tools/call", params, { id });
      if (stream.status >= 500) return stream;
      assert.equal(stream.status, 200, `${title}: HTTP ${stream.status}`);
      // The key has its answer already, or the stream brings a question.
      if (!stream.isStream) return { status: 200, ...(await stream.json()) };
      for (let message; (message = await stream.next(ATTEMPT_MS)); ) {
        if (message.method === "elicitation/create") {
          this.now["session question"] = "asked";
          await this.pause(300);
          this.now["session question"] = "answered";
          const taken = await session.answer(message.id, YES);
          // To a server that never asked it is a word too many, and taken.
          if (taken.status < 500 && taken.status !== 202) this.fault(`${title}: the answer was refused, ${taken.status}`);
        }
        if (message.id === id) return { status: 200, ...message };
      }
      throw new Error("the stream ended");
    };
    this.right(title, await this.sure("session question", attempt));
    this.now["session question"] = "after";
    this.once.add(title);
    const ping = await this.sure("ping", () => session.ask("ping"));
    if (ping.status !== 200) this.fault(`${title}: the session is lost (${ping.status})`);
  }

  // (c) A task: working, then asking, then done.
  async task(round, asks) {
    const title = `stops ${round} task${asks ? " that asks" : ""}`;
    const caps = { ...KNOWS_TASKS, ...FORMS };
    const create = () => this.modern.call("test_slow_write", { title, ask: asks, ms: 150 }, { caps, meta: { [KEY]: title } });
    const { taskId, resultType } = this.right(title, await this.sure("task made", create));
    if (resultType !== "task") throw new Error(`${title}: it is no task`);
    const what = asks ? "asking task" : "task";
    this.now[what] = "working";
    for (let looks = 0; ; looks++) {
      const look = await this.sure("task looked at", () => this.modern.ask("tasks/get", { taskId }, { caps }));
      const task = this.right(title, look);
      this.now[what] = task.status;
      if (task.status === "completed") {
        if (task.result?.isError) this.fault(`${title}: it failed`);
        this.tasks.set(taskId, task);
        break;
      }
      if (!["working", "input_required"].includes(task.status) || looks > 200) {
        throw new Error(`${title}: ${JSON.stringify(task)}`);
      }
      if (task.status === "input_required") {
        const params = { taskId, inputResponses: { [Object.keys(task.inputRequests)[0]]: YES } };
        await this.pause(100);
        this.right(title, await this.sure("task answered", () => this.modern.ask("tasks/update", params, { caps })));
      }
      await sleep(40);
    }
    this.once.add(title);
  }

  // (d) Who listens hears that it is over, listens again, and hears the next change.
  async listening(round, open, what, halted) {
    const before = await open();
    await halted;
    // It ends with its server. Where it was opened after the last stop it lives, and then it hears what is written.
    await before.during(1_000);
    const again = before.isOver ? await open() : before;
    if (before.isBroken) this.broken[what] = (this.broken[what] ?? 0) + 1;
    const title = `stops ${round} ${what}`;
    const write = () => this.modern.call("todo_create", { title }, { meta: { [KEY]: title } });
    this.right(title, await this.sure("write", write));
    this.once.add(title);
    const heard = (await again.during(ATTEMPT_MS, isNews)).some(isNews);
    if (!heard) this.fault(`${what} ${round}: ${before.isOver ? "listening again hears nothing" : "it neither ends nor hears anything"}`);
    again.abort();
  }

  async openSubscription(round) {
    const id = `listen-${round}`;
    const open = async () => {
      const stream = await this.modern.open("subscriptions/listen", { notifications: { resourceSubscriptions: [LIST] } }, { id });
      if (stream.status >= 500) return stream;
      const ack = await stream.next(ATTEMPT_MS);
      if (!ack) throw new Error("the stream ended");
      assert.equal(ack.params?._meta?.[SUBSCRIPTION], id, "the ack comes first");
      return stream;
    };
    return this.sure("listen", open);
  }

  async openSession(session) {
    const stream = await this.sure("session's stream", () => session.listen());
    if (stream.status !== 200 || !stream.isStream) throw new Error(`a session's stream cannot be opened again: ${stream.status}`);
    return stream;
  }

  // One stop, or two close together, while all of this is going on.
  async round(round, stops) {
    const session = this.sessions[round % this.sessions.length];
    for (const what of ["stream", "question", "session question", "task", "asking task"]) this.now[what] = "before";
    const hit = (async () => {
      for (let n = 0; n < stops; n++) {
        // Also the moments right after a start.
        await this.pause(n === 0 ? 600 : 150);
        for (const [what, where] of Object.entries(this.now)) {
          const at = `${what} ${where}`;
          this.hits[at] = (this.hits[at] ?? 0) + 1;
        }
        await within(this.served.stop(), 20_000, "a stop");
      }
    })();
    const all = [
      this.progress(round), this.unkeyed(round), this.sessionProgress(round, session), this.elicitation(round),
      this.sessionElicitation(round, session), this.task(round, false), this.task(round, true),
      this.listening(round, () => this.openSubscription(round), "subscription", hit),
      this.listening(round, () => this.openSession(session), "session stream", hit),
      hit,
    ];
    const outcomes = await within(Promise.allSettled(all), 60_000, `round ${round}`);
    for (const { reason } of outcomes) if (reason) this.fault(`round ${round}: ${reason.message}`);
  }
}

// A key that is made at the first use is made once, however many want it at the same time.
async function firstQuestions(run) {
  const NAME = "test_input_required_result_request_state";
  const ask = (params, caps = FORMS) => run.modern.call(NAME, {}, { caps, params });
  // Close together, and not at once: the first may be done with it while others are half way.
  const asking = Array.from({ length: 24 }, (_, n) => sleep(n * 1.5).then(() => ask({})));
  const asked = await Promise.all(asking);
  for (const { result } of asked) {
    const inputResponses = { confirm: { action: "accept", content: { ok: true } } };
    const { error } = await ask({ inputResponses, requestState: result.requestState });
    if (error) run.fault(`of many questions at the very start, one is not known any more: ${error.message}`);
  }
}

export async function runStops(served, { stops = 64, seed = 7 } = {}) {
  const began = Date.now();
  const run = new Run(served, seed);
  await firstQuestions(run);
  for (let n = 0; n < 4; n++) {
    const session = await Session.begin(served.url, FORMS);
    await session.ask("resources/subscribe", { uri: LIST });
    run.sessions.push(session);
  }
  let [done, round] = [0, 0];
  for (; done < stops; round++) {
    const several = run.dice() < 0.6 ? 2 : 1;
    await run.round(round, several).catch((error) => run.fault(error.message));
    done += several;
    if (run.faults.length > 20) break; // enough to look at
  }

  // What is there at the end, after one more start.
  await served.stop();
  done += 1;
  const titles = await run.modern.titles("stops ");
  const count = (title) => titles.get(title) ?? 0;
  const [missing, twice] = [[], []];
  for (const title of run.once) (count(title) === 0 ? missing : count(title) > 1 ? twice : []).push(title);
  if (missing.length) run.fault(`answered and not there: ${missing}`);
  if (twice.length) run.fault(`there more than once: ${twice}`);
  const unanswered = { done: 0, not: 0 };
  for (const [title, isAnswered] of run.maybe) {
    if (count(title) > 1) run.fault(`there more than once: ${title}`);
    if (isAnswered && count(title) !== 1) run.fault(`answered and not there: ${title}`);
    if (!isAnswered) unanswered[count(title) ? "done" : "not"] += 1;
  }
  const known = new Set([...run.once, ...run.maybe.keys()]);
  const strange = [...titles.keys()].filter((title) => !known.has(title));
  if (strange.length) run.fault(`nobody was told of: ${strange}`);
  for (const session of run.sessions) {
    const { status } = await session.ask("ping");
    if (status !== 200) run.fault(`a session is lost: ${status}`);
  }
  for (const [taskId, was] of run.tasks) {
    const { result } = await run.modern.ask("tasks/get", { taskId }, { caps: KNOWS_TASKS });
    try {
      assert.deepEqual([result?.status, result?.result], [was.status, was.result]);
    } catch {
      run.fault(`the task ${taskId} is lost, or another: ${JSON.stringify(result)}`);
    }
  }
  const { result: storage } = await run.modern.call("data_storage");
  const notes = storage.structuredContent.notes;
  if (notes.length) run.fault(`the data is damaged: ${notes}`);

  // Of a worker that was stopped just now there is nothing to stop. Where nothing was interrupted, nothing was tested.
  const stopped = served.stopped();
  if (stopped < done / 2) run.fault(`of ${done} stops only ${stopped} stopped anything`);
  const broken = Object.values(run.broken).reduce((sum, times) => sum + times, 0);
  if (broken < done / 4) run.fault(`${done} stops interrupted only ${broken} requests`);

  const took = ((Date.now() - began) / 1000).toFixed(1);
  const interrupted = Object.entries(run.broken).map(([what, times]) => `${what} ${times}`).join(", ");
  console.log(`${run.faults.length ? "FAILED" : "ok    "}  stops: ${done} in ${round} rounds (seed ${seed}, ${took} s)`);
  const hits = Object.entries(run.hits).sort().map(([at, times]) => `${at} ${times}`).join(", ");
  console.log(`        ${stopped} stopped what ran`);
  console.log(`        when a stop came: ${hits}`);
  console.log(`        interrupted and tried again: ${interrupted || "nothing"}`);
  console.log(`        ${run.once.size} writes with a key: ${run.once.size - missing.length - twice.length} there once, ${missing.length} lost, ${twice.length} twice`);
  console.log(`        ${run.maybe.size} without: ${run.maybe.size - unanswered.done - unanswered.not} answered, of the others ${unanswered.done} done and ${unanswered.not} not`);
  console.log(`        ${run.sessions.length} sessions, ${run.tasks.size} tasks, all looked at again after the last stop`);
  for (const fault of run.faults) console.log(`    - ${fault}`);
  return run.faults.length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kind, where, stops, seed] = process.argv.slice(2);
  const served = await host(kind, where);
  const failed = await runStops(served, { ...(stops && { stops: Number(stops) }), ...(seed && { seed: Number(seed) }) });
  await served.close();
  process.exit(failed ? 1 : 0);
}
