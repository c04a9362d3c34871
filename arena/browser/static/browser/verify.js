// "Verify on your own machine": downloads the record and has this browser's own engine check it.
import { Engine, EngineError, megabytes } from "./engine.js";

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => (Array.isArray(values[name]) ? values[name].join(", ") : values[name] ?? "?"));

class Verifier {
  constructor(root, page, words) {
    Object.assign(this, { page, words });
    this.button = root.querySelector("button");
    this.status = root.querySelector("[role=status]");
    this.bar = root.querySelector("progress");
    this.list = root.querySelector(".checks");
    this.engine = new Engine(page.engine, words, {
      progress: ({ loaded, total }) => this.tell(fill(words.loading, { percent: Math.floor((20 * loaded) / total) * 5, size: megabytes(page.engine.sent) }), loaded / total),
      starting: () => this.tell(words.starting, 1),
      checked: ({ done, all }) => this.tell(fill(words.checking, { done, all }), done / all),
    });
    this.button.addEventListener("click", () => this.run());
    this.button.disabled = false;
  }

  // Screen readers hear the status, so it changes in steps of five percent; the bar follows each byte.
  tell(text, share = null) {
    if (this.status.textContent !== text) this.status.textContent = text;
    this.bar.hidden = share === null;
    if (share !== null) this.bar.value = share;
  }

  async run() {
    if (this.isRunning) return;
    this.isRunning = true;
    this.button.setAttribute("aria-disabled", "true");
    this.list.replaceChildren();
    this.status.dataset.outcome = "";
    try {
      this.tell(this.words.record);
      const [record, shown] = await Promise.all([this.download(this.page.record), this.download(this.page.frames)]);
      this.show(await this.engine.ask("verify", { record, shown, expected: this.page.expected }));
    } catch (error) {
      this.status.dataset.outcome = "failed";
      this.tell(error instanceof EngineError ? error.message : fill(this.words.start, { detail: error.message }));
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
    this.tell(isSound ? this.words.all_ok : this.words.some_bad);
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

window.verifier = new Verifier(document.getElementById("verify"), read("verify-page"), read("verify-words"));
