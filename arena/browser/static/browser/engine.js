// The page's side of the engine: starts the worker when it is first asked, and passes questions and answers on.
import { decimal } from "../replays/dom.js";

export class EngineError extends Error {}

export class Engine {
  // `on` hears how it gets on: a Progress.
  constructor(engine, words, on) {
    Object.assign(this, { engine, words, on });
    this.waiting = new Map();
    this.last = 0;
  }

  start() {
    this.worker = new Worker(this.engine.worker, { type: "module", name: "engine" });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = () => this.fail(this.words.fetch); // its own script could not be read
  }

  // Resolves to the answer; an EngineError has a sentence for people.
  ask(kind, values = {}) {
    if (typeof WebAssembly !== "object" || typeof Worker !== "function") return Promise.reject(new EngineError(this.words.unable));
    if (!this.worker) this.start();
    const id = (this.last += 1);
    this.worker.postMessage({ id, engine: this.engine, message: { kind, ...values } });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  hear(data) {
    if (data.progress) return this.on.progress(data.progress);
    if (data.starting) return this.on.starting();
    if (data.checked) return this.on.checked(data.checked);
    const waiting = this.waiting.get(data.id);
    this.waiting.delete(data.id);
    if (data.failed) {
      waiting?.reject(new EngineError(fill(this.words[data.failed], data)));
      return this.fail(fill(this.words.start, data));
    }
    if (data.error) return waiting?.reject(new EngineError(data.error));
    return waiting?.resolve(data.answer);
  }

  // Ends a worker that no longer works; the next question starts a new one.
  fail(sentence) {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(new EngineError(sentence));
    this.waiting.clear();
  }
}

// A phrase with its values; a list is written with commas.
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => (Array.isArray(values[name]) ? values[name].join(", ") : values[name] ?? "?"));

// A sentence and a bar. Screen readers hear the sentence, so it changes in steps of five percent; the bar follows each byte.
export class Progress {
  constructor(root, engine, words) {
    Object.assign(this, { words, size: decimal(engine.sent / 1e6) });
    this.status = root.querySelector("[role=status]");
    this.bar = root.querySelector("progress");
  }

  tell(text, share = null) {
    if (this.status.textContent !== text) this.status.textContent = text;
    this.bar.hidden = share === null;
    if (share !== null) this.bar.value = share;
  }

  progress({ loaded, total }) {
    this.tell(fill(this.words.loading, { percent: Math.floor((20 * loaded) / total) * 5, size: this.size }), loaded / total);
  }

  starting() {
    this.tell(this.words.starting, 1);
  }

  checked({ done, all }) {
    this.tell(fill(this.words.checking, { done, all }), done / all);
  }
}
