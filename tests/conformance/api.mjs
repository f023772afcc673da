// A client in TypeScript that is generated from the description that `satchel api` serves, checked by the compiler, and used against that
// server. Builds nothing of ours.
//   node api.mjs <path of satchel>
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import { build } from "esbuild";
import ts from "typescript";

const TOKEN = "0123456789abcdef0123456789abcdef";

// What uses the client. It is compiled with it: a field that the description does not have is an error.
const PROGRAM = `
import { answerQuestions, createSession, deleteSession, getEvents, getSession, listSessions, sendMessage } from "./client/index";
import { client } from "./client/client.gen";
import type { DoneEvent, QuestionsEvent, Session, TextEvent } from "./client/index";

type Told = { name: string; id: string; data: unknown };

export async function run(baseUrl: string, auth: string): Promise<string[]> {
  client.setConfig({ baseUrl, auth });
  const wrong: string[] = [];
  const holds = (what: string, is: boolean) => { if (!is) wrong.push(what); };

  const made = await createSession({ body: { title: "Groceries" } });
  const session: Session = made.data!;
  holds("a session is made", made.response!.status === 201 && session.state === "active" && session.messages === 0);

  const say = async (key: string, text: string, asked?: (questions: QuestionsEvent) => Promise<void>) => {
    const told: Told[] = [];
    const onSseEvent = (event: { event?: string; id?: string; data: unknown }) =>
      void told.push({ name: event.event ?? "", id: event.id ?? "", data: event.data });
    const { stream } = await sendMessage({
      path: { session: session.id }, headers: { "Idempotency-Key": key }, body: { text }, onSseEvent, sseMaxRetryAttempts: 1,
    });
    let seen = 0;
    for await (const _ of stream) {
      for (; seen < told.length; seen++) {
        if (told[seen]!.name === "structured_questions") await asked?.(told[seen]!.data as QuestionsEvent);
      }
    }
    return told;
  };
  const names = (told: Told[]) => told.map(({ name }) => name).join(" ");
  const text = (told: Told[]) => told.filter(({ name }) => name === "text").map(({ data }) => (data as TextEvent).text).join("");
  const done = (told: Told[]) => told.at(-1)!.data as DoneEvent;

  const added = await say("one", "add milk to my list");
  holds("milk is added: " + names(added), names(added) === "tool_call tool_result text done");
  holds("the answer is whole", text(added) === done(added).message && done(added).cost === 0);
  holds("the tool is named", done(added).toolCallsMade.join() === "todo_create");
  const again = await say("one", "add milk to my list");
  holds("a repeated key gives the same", JSON.stringify(again) === JSON.stringify(added));

  const listed = await say("two", "what is on my list?");
  holds("milk is on the list", done(listed).message.includes("Milk"));

  const rest: string[] = [];
  const events = await getEvents({
    path: { session: session.id }, headers: { "Last-Event-ID": listed[0]!.id }, sseMaxRetryAttempts: 1,
    onSseEvent: (event) => void rest.push(event.event ?? ""),
  });
  for await (const _ of events.stream);
  holds("events go on after one: " + rest.join(" "), rest.join(" ") === names(listed.slice(1)));

  const deleted = await say("three", "delete milk", async (questions) => {
    holds("it asks first", questions.kind === "approval" && questions.preview === "This would delete 1 to-do:\\n- Milk");
    const body = { callId: questions.callId, answers: { approve: "yes" } };
    const taken = await answerQuestions({ path: { session: session.id }, body });
    holds("the answer is taken", taken.response!.status === 200);
  });
  holds("milk is gone: " + names(deleted), names(deleted).startsWith("tool_call tool_result") && done(deleted).stop === "complete");

  const detail = await getSession({ path: { session: "Groceries" } });
  holds("the session is found by its title", detail.data?.transcript.filter(({ role }) => role === "user").length === 3);
  const all = await listSessions();
  holds("it is listed", all.data?.sessions.map(({ id }) => id).join() === session.id);
  const nothing = await getSession({ path: { session: "nothing" } });
  holds("an error is a problem", nothing.error?.code === "session_not_found" && nothing.error.status === 404);
  const gone = await deleteSession({ path: { session: session.id } });
  holds("it is deleted", gone.response!.status === 204);
  return wrong;
}
`;

// What the compiler says of the program and the client that it uses.
function compiled(folder) {
  const program = ts.createProgram([join(folder, "program.ts")], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
  });
  return ts.getPreEmitDiagnostics(program).map((one) => {
    const place = one.file ? `${one.file.fileName}:${one.file.getLineAndCharacterOfPosition(one.start).line + 1}: ` : "";
    return place + ts.flattenDiagnosticMessageText(one.messageText, "\n");
  });
}

// All of it; what is wrong.
export async function runApi(satchel) {
  const folder = await mkdtemp(join(tmpdir(), "satchel-api-client-"));
  const args = ["api", "--dir", join(folder, "data"), "--port", "0", "--config", "none.toml"];
  const server = spawn(satchel, args, {
    env: { ...process.env, SATCHEL_API_TOKENS: `anna:${TOKEN}` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = await once(createInterface(server.stdout), "line");
    const base = line.match(/http:\/\/[^/]+/)[0];
    const description = await (await fetch(`${base}/v1/openapi.json`)).json();
    const input = join(folder, "openapi.json");
    await writeFile(input, JSON.stringify(description));
    await createClient({
      input,
      output: { path: join(folder, "client") },
      logs: { level: "silent" },
      plugins: ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"],
    });
    await writeFile(join(folder, "program.ts"), PROGRAM);
    const errors = compiled(folder);
    if (errors.length) return errors;
    const bundle = join(folder, "program.mjs");
    const options = { bundle: true, format: "esm", platform: "node", logLevel: "error" };
    await build({ entryPoints: [join(folder, "program.ts")], outfile: bundle, ...options });
    const { run } = await import(pathToFileURL(bundle).href);
    return await run(base, TOKEN);
  } finally {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wrong = await runApi(process.argv[2]);
  wrong.forEach((one) => console.log(`FAILED  ${one}`));
  console.log(wrong.length ? `${wrong.length} failures of the generated client` : "the generated client holds");
  process.exit(wrong.length ? 1 : 0);
}
