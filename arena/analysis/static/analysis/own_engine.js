// Variations by the engine in this browser: instant, and without the arena. Loaded when somebody asks for it, and then again each time.
import { Engine, Progress } from "../browser/engine.js";
import { h } from "../replays/dom.js";

const WANTED = "analysis-engine";

export class OwnEngine {
  constructor(page, words) {
    Object.assign(this, { page, words });
    this.isReady = false;
    this.status = h("p", { class: "note", role: "status" });
    this.bar = h("progress", { max: 1, value: 0, "aria-label": words.say("engine_load"), hidden: true });
    this.button = h("button", { type: "button", class: "quiet", onclick: () => this.load() }, words.say("engine_load"));
    this.element = h("div", { class: "own-engine", hidden: !page.engine }, this.button, this.status, this.bar);
    if (page.engine && localStorage.getItem(WANTED)) this.load();
  }

  async load() {
    this.button.hidden = true;
    try {
      const progress = new Progress(this.element, this.page.engine, this.page.engine_words);
      this.engine = new Engine(this.page.engine, this.page.engine_words, progress);
      const record = await fetch(this.page.record);
      if (!record.ok) throw new Error(this.words.say("failed"));
      await this.engine.ask("match", { record: await record.text() });
      this.isReady = true;
      localStorage.setItem(WANTED, "yes");
      progress.tell(this.words.say("engine_ready"));
    } catch (error) {
      this.fail(error);
    }
  }

  // The arena answers from here on; somebody may try again.
  fail(error) {
    this.isReady = false;
    this.button.hidden = false;
    this.bar.hidden = true;
    this.status.textContent = error.message;
  }

  // Returns what follows from these actions, or nothing where the arena has to be asked.
  async play(number, actions) {
    if (!this.isReady || number === null) return null;
    try {
      return await this.engine.ask("try", { number, actions });
    } catch (error) {
      this.fail(error);
      return null;
    }
  }
}
