// "Verify on your own machine": downloads the record and has this browser's own engine check it.
import { Engine, EngineError, Progress, fill } from "./engine.js";

const read = (id) => JSON.parse(document.getElementById(id).textContent);

export class Verifier {
  constructor(root, button) {
    const page = read("verify-page"), words = read("verify-words");
    Object.assign(this, { page, words, button });
    this.list = root.querySelector(".checks");
    this.progress = new Progress(root, page.engine, words);
    this.status = this.progress.status;
    this.engine = new Engine(page.engine, words, this.progress);
  }

  async run() {
    if (this.isRunning) return;
    this.isRunning = true;
    this.button.setAttribute("aria-disabled", "true");
    this.list.replaceChildren();
    try {
      this.progress.tell(this.words.record);
      const [record, shown] = await Promise.all([this.download(this.page.record), this.download(this.page.frames)]);
      this.show(await this.engine.ask("verify", { record, shown, expected: this.page.expected }));
    } catch (error) {
      this.status.dataset.outcome = "failed";
      this.progress.tell(error instanceof EngineError ? error.message : fill(this.words.start, { detail: error.message }));
    }
    this.isRunning = false;
    this.button.removeAttribute("aria-disabled");
  }

  async download(address) {
    const answer = await fetch(address).catch(() => null);
    if (!answer?.ok) throw new EngineError(this.words.no_record);
    return answer.text();
  }

  show(checks) {
    const isSound = checks.every((check) => check.state === "ok");
    this.list.replaceChildren(...checks.map((check) => this.line(check)));
    this.status.dataset.outcome = isSound ? "ok" : "bad";
    this.progress.tell(isSound ? this.words.all_ok : this.words.some_bad);
  }

  line(check) {
    const line = document.createElement("li");
    const state = document.createElement("span");
    line.className = check.state;
    line.dataset.check = check.name;
    state.className = "state";
    state.textContent = this.words[`is_${check.state}`];
    line.append(state, " ", fill(this.words[`${check.name}_${check.state}`], check));
    return line;
  }
}
