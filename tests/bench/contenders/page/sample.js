// Sampling: contenders called in turn, in a random order that a seed repeats.

export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function shuffle(items, next) {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}

// Milliseconds of one call.
export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const WARM_UP = 10;

// Calls each of `contenders` (a name and what to time) `n` times, in turn; gives every one's milliseconds.
// `between` runs untimed before each round.
export async function interleaved({ n, seed, contenders, between = async () => {}, warmUp = WARM_UP }) {
  const next = random(seed);
  const names = Object.keys(contenders);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -Math.min(n, warmUp); round < n; round++) {
    await between(round);
    for (const name of shuffle(names, next)) {
      const ms = await timed(contenders[name]);
      if (round >= 0) samples[name].push(ms);
    }
  }
  return samples;
}

export const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

// Until what was just changed has been painted: the frame after the one that draws it.
export async function painted() {
  await frame();
  await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
}
