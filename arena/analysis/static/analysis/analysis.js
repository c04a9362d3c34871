// The analysis board: try other actions from a step of a match, share them, and have bots play on.
import { Question } from "../play/question.js";
import { BoardView } from "../replays/board.js";
import { data, h, setText } from "../replays/dom.js";
import { Game } from "../replays/game.js";
import { SeatsView } from "../replays/seats.js";
import { fetchPatiently } from "../replays/source.js";
import { Words } from "../replays/words.js";
import { actionText } from "./action_words.js";
import { OwnEngine } from "./own_engine.js";
import { PlayingOn } from "./playing_on.js";

class AnalysisBoard {
  constructor(root, page, board, words) {
    Object.assign(this, { root, page, words });
    this.actions = page.start.actions ?? [];
    this.number = page.start.number ?? null;
    this.board = new BoardView(board, words, root.querySelector(".viewer-wait img"));
    this.seats = new SeatsView(words);
    this.question = new Question(board, words, (action) => this.play([...this.actions, action]));
    this.board.stage.append(this.question.targets.svg);
    this.when = h("span", { class: "when" });
    this.who = h("span", { class: "who" });
    this.notice = h("p", { class: "notice", role: "alert", hidden: true });
    this.played = h("p", { class: "note" });
    this.line = h("ol", { class: "line-actions" });
    this.undo = h("button", { type: "button", class: "quiet", onclick: () => this.play(this.actions.slice(0, -1)) }, words.say("undo"));
    this.restart = h("button", { type: "button", class: "quiet", onclick: () => this.play([]) }, words.say("restart"));
    this.others = h("ul", { class: "others" });
    this.engine = new OwnEngine(page, words);
    this.playingOn = new PlayingOn(words, page, () => ({ number: this.number, actions: this.actions }), (address, body) => this.post(address, body));
    root.replaceChildren(
      h("div", { class: "viewer-main" }, h("div", { class: "headline" }, this.when, this.who), this.board.element, this.notice, this.question.element, this.played, this.playingOn.element),
      h("div", { class: "viewer-side" }, this.seats.element, h("section", { class: "card", "aria-labelledby": "line-head" }, h("h2", { id: "line-head" }, words.say("line")), this.line, h("p", { class: "actions" }, this.undo, this.restart), this.engine.element, this.sharing()),
        h("section", { class: "card", "aria-labelledby": "others-head" }, h("h2", { id: "others-head" }, words.say("others")), this.others)));
  }

  sharing() {
    const name = h("input", { name: "name", maxlength: 80, required: true, id: "variation-name", autocomplete: "off", value: this.page.start.name ?? "" });
    this.saved = h("p", { class: "saved", role: "status" });
    const save = async (submit) => {
      submit.preventDefault();
      const answer = await this.post(this.page.variations, { number: this.number, actions: this.actions, name: name.value });
      if (!answer) return;
      this.saved.replaceChildren(this.words.say("saved"), " ", h("a", { href: answer.url }, new URL(answer.url, location.href).href));
      this.listOthers();
    };
    return h("form", { class: "sharing", onsubmit: save }, h("label", { for: "variation-name" }, this.words.say("variation_name")), name, h("button", {}, this.words.say("save")), this.saved);
  }

  async start() {
    await this.play(this.actions);
    this.listOthers();
    this.root.classList.add("ready");
  }

  async play(actions) {
    const where = this.number === null ? { step: this.page.start.step } : { number: this.number };
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const own = await this.engine.play(this.number, actions);
    const told = own ?? (await this.post(this.page.try, { ...where, actions }));
    if (!told || turn !== this.turn) return; // refused, or somebody has clicked on meanwhile
    this.root.dataset.by = own ? "browser" : "arena";
    const game = new Game("open");
    game.header = this.page.header;
    for (const frame of told.frames) game.add(frame);
    Object.assign(this, { game, told, actions, number: told.number });
    this.question.game = game;
    this.question.key = null;
    this.draw();
  }

  draw() {
    const { game, told, words } = this;
    this.board.draw(game, game.last);
    this.seats.draw(game, game.last);
    const position = game.positions[game.last];
    setText(this.when, words.when(position));
    setText(this.who, told.over ? "" : words.say("decides", { seat: words.seat(game, told.seat) }));
    if (told.over) this.question.tell(words.say("over_here"));
    else this.question.ask({ legal: told.legal, number: this.actions.length }, position);
    setText(this.played, told.played === null ? "" : words.say("was_played", { action: actionText(words, told.played) }));
    this.undo.disabled = this.restart.disabled = !this.actions.length;
    this.line.replaceChildren(...(this.actions.length ? this.actions.map((action, at) => this.lineItem(action, at)) : [h("li", { class: "note" }, words.say("line_empty"))]));
    this.playingOn.draw(game, told);
    this.root.dataset.actions = String(this.actions.length);
  }

  // Each action of the line leads back to it, from where another branch may be played.
  lineItem(action, at) {
    const seat = this.game.frames[this.told.ends[at] + 1]?.seat ?? -1;
    const who = seat >= 0 ? `${this.words.seat(this.game, seat)}: ` : "";
    return h("li", {}, h("button", { type: "button", class: "quiet", title: this.words.say("branch_from"), onclick: () => this.play(this.actions.slice(0, at + 1)) }, `${who}${actionText(this.words, action)}`));
  }

  async listOthers() {
    const answer = await fetchPatiently(this.page.variations).catch(() => null);
    if (!answer?.ok) return;
    const { variations } = await answer.json();
    this.others.replaceChildren(...(variations.length ? variations.map((one) => h("li", {}, h("a", { href: one.url }, one.name))) : [h("li", { class: "note" }, this.words.say("others_none"))]));
  }

  // Returns the answer, or nothing after saying why not.
  async post(address, body) {
    const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
    this.say("");
    try {
      const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json", "X-CSRFToken": token }, body: JSON.stringify(body) });
      const found = await answer.json();
      if (answer.ok) return found;
      this.say(found.message || this.words.say("failed"));
    } catch {
      this.say(this.words.say("failed"));
    }
    return null;
  }

  say(text) {
    setText(this.notice, text);
    this.notice.hidden = !text;
  }
}

async function start() {
  const page = data("analysis-page");
  const board = await fetch(page.board).then((answer) => answer.json());
  const analysis = new AnalysisBoard(document.getElementById("analysis"), page, board, new Words(data("analysis-words"), board));
  window.analysis = analysis;
  await analysis.start();
}

start();
