// Hints: what a house bot would do with what this seat knows. The server thinks; this shows it.
import { h, setText } from "../replays/dom.js";
import { readAction } from "./choices.js";

const percent = (share) => Math.round(100 * share);

export class Hint {
  // `ask` returns the server's answer, or null after it has said why there is none.
  constructor(words, targets, ask) {
    Object.assign(this, { words, targets, ask });
    this.button = h("button", { type: "button", class: "quiet hint-button", "aria-keyshortcuts": "h", onclick: () => this.request() }, words.say("hint"));
    this.text = h("p", { class: "hint-text", role: "status" });
    this.element = h("div", { class: "hint" }, this.button, this.text);
    document.addEventListener("keydown", (event) => {
      const isTyping = event.target.closest?.("input, textarea, select, [contenteditable], dialog");
      if (event.key.toLowerCase() === "h" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey && !this.button.disabled && !this.element.hidden) this.request();
    });
  }

  // The decision that is open; a hint belongs to one.
  open(number) {
    this.element.hidden = number === null;
    if (number === this.number) return;
    this.number = number;
    this.clear();
  }

  clear() {
    setText(this.text, "");
    this.mark(null);
  }

  async request() {
    if (this.isAsking || this.number === null || this.number === undefined) return null;
    this.isAsking = this.button.disabled = true;
    const { number } = this;
    setText(this.text, this.words.say("hint_thinks"));
    const hint = await this.ask(number);
    this.isAsking = this.button.disabled = false;
    if (!hint || number !== this.number) {
      this.clear();
      return null;
    }
    setText(this.text, this.tell(hint));
    this.mark(hint.action);
    return hint;
  }

  tell(hint) {
    const { words } = this;
    const values = { action: this.name(hint.action), chance: percent(hint.chance), before: percent(hint.before) };
    if (hint.second === null) return words.say("hint_only", values);
    return `${words.say("hint_best", values)} ${words.say("hint_second", { action: this.name(hint.second), chance: percent(hint.second_chance) })}`;
  }

  name(action) {
    const { words } = this;
    const one = readAction(action);
    const [from, to] = one.path.map((t) => words.territory(t));
    if (one.kind === "power") return words.say("hint_card", { card: one.card });
    if (one.kind === "move") return words.say("hint_move", { from, to });
    if (one.kind === "raft") return words.say("hint_raft", { from, to });
    if (one.kind === "type") return words.say("do_type", { type: words.type(one.type) });
    if (one.kind === "blessing") return words.say("do_blessing", { card: words.phrases.cards[one.card] });
    if (one.kind === "eagle") return words.say("do_eagle_at", { territory: from });
    if (one.kind === "pass") return this.passes();
    return words.say(`do_${one.kind}`, { territory: from });
  }

  // The button that passes has the right words for this moment.
  passes() {
    return document.querySelector(".ask-buttons [data-action='0']")?.textContent ?? this.words.say("do_pass");
  }

  mark(action) {
    this.targets.hint(action === null ? [] : readAction(action).path);
    this.action = action;
    this.markButtons();
  }

  markButtons() {
    const kind = this.action === null || this.action === undefined ? "" : readAction(this.action).kind;
    for (const button of document.querySelectorAll(".ask-buttons button")) {
      button.classList.toggle("hinted", kind !== "" && (button.dataset.action === String(this.action) || button.dataset.kind === kind));
    }
  }
}
