// A model's stream from bytes to typed deltas: our codec against what a page would take from npm.
import { createParser } from "eventsource-parser";
import { interleaved } from "./sample.js";

const WORDS = "The plants by the window want water twice a week, “Müller” said — and then some more.".split(" ");

// A stream as providers send it: pieces of text, then a tool call in fragments, then usage and the end.
function stream(bytes) {
  const head = { id: "chatcmpl-9Xk2", object: "chat.completion.chunk", created: 1795296600, model: "gpt-5-mini", system_fingerprint: "fp_44709d6fcb" };
  const chunk = (delta, more = {}) =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: null }], ...more })}\n\n`;
  let text = chunk({ role: "assistant", content: "" });
  for (let i = 0; text.length < bytes; i++) text += chunk({ content: ` ${WORDS[i % WORDS.length]}` });
  text += chunk({ tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "todo_create", arguments: "" } }] });
  for (const piece of ['{"ti', 'tle":', ' "Water', ' the plants"}']) text += chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
  text += `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] })}\n\n`;
  text += `data: ${JSON.stringify({ ...head, choices: [], usage: { prompt_tokens: 812, completion_tokens: 301, total_tokens: 1113 } })}\n\n`;
  return new TextEncoder().encode(`${text}data: [DONE]\n\n`);
}

function cut(bytes, size) {
  const chunks = [];
  for (let from = 0; from < bytes.length; from += size) chunks.push(bytes.slice(from, from + size));
  return chunks;
}

// The chain in JavaScript: bytes, text, events, JSON, typed deltas.
function javascript(chunks) {
  const deltas = [];
  const calls = new Map();
  const onEvent = ({ data }) => {
    if (data === "[DONE]") return deltas.push({ type: "done" });
    const { choices, usage, error } = JSON.parse(data);
    if (error) return deltas.push({ type: "error", message: error.message });
    for (const { delta, finish_reason } of choices) {
      if (delta?.content) deltas.push({ type: "text", text: delta.content });
      for (const call of delta?.tool_calls ?? []) {
        if (call.id) calls.set(call.index, call.id);
        deltas.push({ type: "tool", index: call.index, id: call.id, name: call.function.name, arguments: call.function.arguments });
      }
      if (finish_reason) deltas.push({ type: "finish", reason: finish_reason });
    }
    if (usage) deltas.push({ type: "usage", input: usage.prompt_tokens, output: usage.completion_tokens });
  };
  const parser = createParser({ onEvent });
  const decoder = new TextDecoder();
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
  return deltas;
}

export async function decodeStream({ n, seed, bytes, chunk, satchel }) {
  const chunks = cut(stream(bytes), chunk);
  const deltas = javascript(chunks);
  const text = deltas.filter(({ type }) => type === "text").map(({ text }) => text).join("");
  const ours = await satchel();
  const decoded = ours.decode_stream(chunks);
  if (decoded.text_bytes !== new TextEncoder().encode(text).length) {
    throw new Error(`the two read different texts: ${decoded.text_bytes} bytes and ${text.length} characters`);
  }
  const contenders = { satchel: async () => ours.decode_stream(chunks).free(), javascript: async () => javascript(chunks) };
  return { samples: await interleaved({ n, seed, contenders }), deltas: deltas.length, events: decoded.events };
}
