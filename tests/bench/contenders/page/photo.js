// Looking at photos: our worker as our page has it, and the two libraries that people take for faces in a page. All of them get the
// same files and decode them as browsers do; one thread each.
import { file, large } from "./photo-files.js";
import { interleaved } from "./sample.js";

const SAMPLES = [1, 2, 3, 4, 5, 6].map((number) => `samples/sample${number}.jpg`);

// Our worker, a message at a time.
class Looker {
  constructor(worker) {
    this.worker = worker;
    this.next = 1;
  }

  static async start() {
    const worker = new Worker("../app/photo/photo-worker.js", { type: "module" });
    await new Promise((resolve, reject) => {
      worker.onmessage = resolve;
      worker.onerror = () => reject(new Error("our worker does not start"));
    });
    return new Looker(worker);
  }

  ask(message) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) => {
        const answer = JSON.parse(data);
        if (answer.id !== id) return;
        answer.trouble ? reject(new Error(answer.trouble)) : resolve(answer);
      };
      this.worker.postMessage({ id, database: "bench-photos", ...message });
    });
  }
}

async function human() {
  const { Human } = await import(new URL("human.esm.js", location.href).href);
  const off = { enabled: false };
  const human = new Human({
    backend: "wasm", wasmPath: new URL("tfjs/", location.href).href, modelBasePath: new URL("human/", location.href).href,
    cacheSensitivity: 0, async: false, filter: off, gesture: off, body: off, hand: off, object: off, segmentation: off,
    face: { enabled: true, detector: { maxDetected: 30, minConfidence: 0.5, rotation: false }, mesh: off, attention: off, iris: off, emotion: off, antispoof: off, liveness: off, description: { enabled: true } },
  });
  human.tf.env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  await human.load();
  return async (file) => {
    const image = await createImageBitmap(file);
    const { face } = await human.detect(image);
    image.close();
    return face.filter(({ embedding }) => embedding?.length).length;
  };
}

async function faceApi() {
  const api = await import(new URL("face-api.esm.js", location.href).href);
  api.tf.setWasmPaths(new URL("tfjs/", location.href).href);
  api.tf.env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  await api.tf.setBackend("wasm");
  await api.tf.ready();
  for (const net of ["ssdMobilenetv1", "faceLandmark68Net", "faceRecognitionNet"]) await api.nets[net].loadFromUri(new URL("face-api/", location.href).href);
  const options = new api.SsdMobilenetv1Options({ minConfidence: 0.5, maxResults: 30 });
  return async (file) => {
    const image = await createImageBitmap(file);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d").drawImage(image, 0, 0);
    image.close();
    return (await api.detectAllFaces(canvas, options).withFaceLandmarks().withFaceDescriptors()).length;
  };
}

// Faces and their descriptions on the six samples.
async function faces({ n, seed }) {
  const looker = await Looker.start();
  const files = [];
  for (const url of SAMPLES) {
    const one = await file(url);
    const { item, known } = await looker.ask({ file: one });
    files.push({ file: one, hash: item?.hash ?? known });
  }
  const ours = async ({ hash }) => (await looker.ask({ people: hash })).faces.length;
  const [byHuman, byFaceApi] = [await human(), await faceApi()];
  const each = { satchel: ours, human: ({ file }) => byHuman(file), "face-api": ({ file }) => byFaceApi(file) };
  const counts = {};
  const contenders = {};
  for (const [name, look] of Object.entries(each)) {
    counts[name] = [];
    for (const one of files) counts[name].push(await look(one));
    let at = 0;
    contenders[name] = () => look(files[at++ % files.length]);
  }
  // Whole rounds over the six.
  const samples = await interleaved({ n: Math.max(1, Math.ceil(n / 6)) * 6, seed, contenders, warmUp: 0 });
  return { samples, counts };
}

// One photo with everything that is looked at: kept, decoded, faces, tags, quality, likeness, who is on it.
async function photo({ n }) {
  const looker = await Looker.start();
  const samples = { "satchel": [], "satchel people": [] };
  for (let at = -1; at < n; at++) {
    const one = await large("samples/sample1.jpg", 4000, 3000, at + 1);
    const started = performance.now();
    const { item, faces } = await looker.ask({ file: one, faces: true });
    const ended = performance.now();
    // As one that is there already is looked at, once people were turned on.
    await looker.ask({ people: item.hash });
    if (!faces?.length) throw new Error("there are faces on it");
    // The first loads the nets.
    if (at < 0) continue;
    samples["satchel"].push(ended - started);
    samples["satchel people"].push(performance.now() - ended);
  }
  return { samples };
}

globalThis.bench = { faces, photo };
globalThis.ready = true;
