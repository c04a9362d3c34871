// One decision: what is asked, the buttons, and the territories on the board.
import { h, sign } from "../replays/dom.js";
import { Choices } from "./choices.js";
import { Targets } from "./targets.js";

const LABELS = { place: "do_place", eagle: "do_eagle_at", battle: "do_choose", coexist: "do_choose", tlatoani: "do_choose", raft: "do_raft_at" };

export class Question {
  constructor(board, words, onDecide) {
    Object.assign(this, { words, onDecide });
    this.targets = new Targets(board, words.say("targets"), (t) => this.pick(t));
    this.text = h("p", { class: "ask-text", role: "status" });
    this.buttons = h("div", { class: "ask-buttons" });
    this.element = h("section", { class: "ask", "aria-label": words.say("targets") }, this.text, this.buttons);
    this.isCoarse = matchMedia("(pointer: coarse)").matches;
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.back());
  }

  // Asks for a decision; what was picked for the same one is kept.
  ask(turn, position) {
    this.position = position;
    const key = JSON.stringify(turn.legal) + turn.number;
    if (this.key !== key) {
      this.key = key;
      this.choices = new Choices(turn.legal);
      this.sure = null;
    }
    this.draw();
  }

  // Shows a sentence in the place of a question.
  tell(text) {
    this.key = null;
    this.choices = null;
    this.targets.draw(new Map());
    this.show(text, []);
  }

  show(text, buttons) {
    if (this.text.textContent !== text) this.text.textContent = text;
    const key = buttons.map((one) => one.outerHTML).join("");
    if (key === this.shown) return;
    const focused = this.buttons.contains(document.activeElement);
    this.shown = key;
    this.buttons.replaceChildren(...buttons);
    if (focused) this.buttons.querySelector("button")?.focus({ preventScroll: true });
  }

  pick(t) {
    const { choices } = this;
    if (!choices?.targets.includes(t)) return;
    const isLast = choices.open.every((one) => one.path[choices.picked.length] !== t || one.path.length === choices.picked.length + 1);
    if (this.isCoarse && isLast && this.sure !== t) {
      this.sure = t; // fingers miss: the second tap counts
      return this.draw();
    }
    this.sure = null;
    choices.picked.push(t);
    if (choices.complete.length === 1) return this.decide(choices.complete[0].action);
    this.draw();
    if (!choices.targets.length) this.buttons.querySelector("button")?.focus();
  }

  back() {
    if (!this.choices || (!this.choices.picked.length && this.choices.kind !== "eagle" && this.choices.kind !== "raft")) return;
    this.choices.reset();
    this.sure = null;
    this.draw();
  }

  choose(kind) {
    this.choices.choose(kind);
    this.draw();
    this.targets.focus();
  }

  decide(action) {
    this.onDecide(action);
  }

  focus(preventScroll = false) {
    if (this.choices?.targets.length) this.targets.focus();
    else this.buttons.querySelector("button")?.focus({ preventScroll });
  }

  draw() {
    const { choices, words } = this;
    const labels = new Map(choices.targets.map((t) => [t, this.label(t)]));
    this.targets.draw(labels, this.sure === null ? choices.picked : [...choices.picked, this.sure]);
    this.show(this.sure === null ? this.question() : words.say("ask_sure", { territory: words.territory(this.sure) }), this.drawButtons());
  }

  label(t) {
    const { choices, words } = this;
    const { kind } = choices.open.find((one) => one.path[choices.picked.length] === t);
    const key = kind === "move" ? (choices.picked.length ? "do_to" : "do_from") : LABELS[kind];
    return [words.say(key, { territory: words.place(t) }), ...words.pawns(this.game, this.position, t)].join(", ");
  }

  question() {
    const { choices, words, position } = this;
    const territory = choices.picked.length ? words.territory(choices.picked[0]) : "";
    if (choices.kind === "eagle") return words.say("ask_eagle");
    if (choices.kind === "raft") return words.say(territory ? "ask_raft_to" : "ask_raft", { territory });
    if (choices.has("power")) return words.say("ask_power");
    if (choices.has("place")) return words.say("ask_place");
    if (choices.has("games")) return words.say("ask_games", { territory: position.battle >= 0 ? words.territory(position.battle) : "" });
    if (territory) return words.say(choices.has("move") ? "ask_to" : "ask_how", { territory });
    if (choices.has("battle")) return words.say("ask_conflict");
    if (choices.has("tlatoani")) return words.say("ask_tlatoani");
    if (choices.has("type") && !choices.has("pass")) return words.say("ask_type");
    if (choices.has("move") || choices.has("eagle")) return words.say(choices.has("eagle") ? "ask_second_eagle" : "ask_second");
    return words.say("ask_scoring");
  }

  drawButtons() {
    const { choices, words } = this;
    const button = (text, act, extra = {}) => h("button", { type: "button", onclick: act, ...extra }, text);
    const isDeep = choices.picked.length || choices.kind === "eagle" || choices.kind === "raft";
    const back = button(words.say("do_back"), () => this.back(), { class: "quiet" });
    if (isDeep) {
      const done = choices.complete.map((one) => button(words.say(`do_${one.kind}`, { territory: words.territory(one.path[0]) }), () => this.decide(one.action), { "data-action": one.action }));
      return [...done, back];
    }
    const modes = ["eagle", "raft"].filter((kind) => choices.has(kind)).map((kind) => button(words.say(`do_${kind}`), () => this.choose(kind), { "data-kind": kind }));
    const plain = choices.all.filter((one) => !one.path.length).map((one) => this.plainButton(one));
    return [...modes, ...plain];
  }

  plainButton(one) {
    const { words, choices } = this;
    const act = { type: "button", onclick: () => this.decide(one.action), "data-action": one.action };
    if (one.kind === "power") {
      const { type, points } = words.board.cards[one.card - 4];
      return h("button", { ...act, class: "power-choice", "aria-label": words.say("do_power", { card: one.card, type: words.type(type), points }) },
        h("b", {}, String(one.card)), sign(type < 0 ? "type-wild" : `type-${words.board.types[type]}`, 26), h("span", {}, words.type(type)), h("small", {}, words.say("worth", { points })));
    }
    const pass = choices.has("games") ? "do_decline" : this.position.phase === 1 ? "do_pass_turn" : this.position.phase === 3 ? "do_score" : "do_pass";
    const key = one.kind === "pass" ? pass : `do_${one.kind}`;
    const text = words.say(key, { type: one.kind === "type" ? words.type(one.type) : "", card: one.kind === "blessing" ? words.phrases.cards[one.card] : "" });
    return h("button", one.kind === "pass" ? { ...act, class: "quiet" } : act, text);
  }
}
