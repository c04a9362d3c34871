// A seat at a table: shows what its person may see, asks what they have to decide, and sends it.
import { BoardView } from "../replays/board.js";
import { calm, data, h, setText } from "../replays/dom.js";
import { Game } from "../replays/game.js";
import { SeatsView } from "../replays/seats.js";
import { Words } from "../replays/words.js";
import { Coach } from "./coach.js";
import { Hint } from "./hint.js";
import { Question } from "./question.js";
import { summary } from "./summary.js";

const STEP_MS = 420;
const QUICK_MS = 120;
const LINGER = { power_revealed: 3, battle_declared: 2, coexistence: 2, age_scored: 6, end_scored: 5 };
const HURRY = 12; // more frames than this are not played one by one: somebody has come back
const LOG_LINES = 40;
const RESEND_MS = 8000;
const LATE_MS = 500; // a decision that somebody else made before this was left of its time was not made for being late

export class TablePage {
  constructor(root, page, board, words) {
    Object.assign(this, { root, page, words });
    this.game = new Game("seat");
    this.index = -1;
    this.turn = { legal: [], number: 0, answer: null };
    this.table = null;
    this.board = new BoardView(board, words, root.querySelector(".viewer-wait img"));
    this.seats = new SeatsView(words);
    this.question = new Question(board, words, (action) => this.decide(action));
    this.board.stage.append(this.question.targets.svg);
    this.clock = h("span", { class: "clock", role: "timer", "aria-label": words.say("time_left") });
    this.when = h("span", { class: "when" });
    this.notice = h("p", { class: "notice", role: "alert", hidden: true });
    this.broken = h("p", { class: "notice broken", role: "status", hidden: true }, words.say("lost_connection"));
    this.hand = h("section", { class: "own-hand" });
    this.log = h("ul", { class: "happened", "aria-label": words.say("happened"), "aria-live": "polite", tabindex: 0 });
    this.ending = h("section", { class: "ending card", hidden: true });
    this.leaving = h("p", { class: "actions leaving" }, h("button", { type: "button", class: "quiet", onclick: () => this.leave("resign") }, words.say("resign")),
      page.bot_plays_on ? h("button", { type: "button", class: "quiet", onclick: () => this.leave("leave") }, words.say("leave")) : "");
    this.hint = page.hint ? new Hint(words, this.question.targets, (number) => this.askHint(number)) : null;
    this.coach = page.coach ? new Coach(root, words, () => this.goOn(), () => this.playOn()) : null;
    this.clock.hidden = Boolean(page.coach); // a first game has time enough, and nobody should be hurried
    root.replaceChildren(
      h("div", { class: "viewer-main" }, h("div", { class: "headline" }, this.when, this.clock), this.board.element, this.broken, this.notice, this.question.element, this.hint?.element ?? "", this.ending, this.hand),
      h("div", { class: "viewer-side" }, this.seats.element, this.leaving, h("h2", { class: "happened-head" }, words.say("happened")), this.log)); // above the log, which grows
    for (const kind of ["keydown", "pointerdown"]) document.addEventListener(kind, () => (this.isByKeys = kind === "keydown"), true);
    this.wide = matchMedia("(min-width: 62rem)");
    this.wide.addEventListener("change", () => this.placeCoach());
    this.placeCoach();
    setInterval(() => this.tick(), 250);
  }

  // Beside the board where there is room, so that both are seen at once; else right before the question.
  placeCoach() {
    if (!this.coach) return;
    if (this.wide.matches) this.root.querySelector(".viewer-side").prepend(this.coach.element);
    else this.question.element.before(this.coach.element);
  }

  connect() {
    const source = new EventSource(this.page.events);
    const listen = (name, act) => source.addEventListener(name, (message) => act(JSON.parse(message.data)));
    listen("header", (header) => this.begin(header));
    listen("table", (table) => this.showTable(table));
    listen("frames", (frames) => this.addFrames(frames));
    listen("turn", (turn) => this.ask(turn));
    source.addEventListener("open", () => (this.broken.hidden = true));
    source.addEventListener("error", () => {
      this.broken.hidden = false;
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(() => this.connect(), 2000); // the server refused, for example while it restarts
    });
  }

  // Everything is sent again after a header: on connecting, and where another host has set the table up.
  begin(header) {
    clearTimeout(this.playing);
    this.playing = null;
    this.game = this.question.game = new Game("seat");
    this.game.header = header;
    this.index = -1;
    this.fresh = true;
    this.log.replaceChildren();
  }

  addFrames(frames) {
    for (const frame of frames) this.game.add(frame);
    if (this.fresh || calm() || this.game.last - this.index > HURRY) {
      for (let at = Math.max(0, this.index + 1); at <= this.game.last; at += 1) this.note(at);
      this.index = this.game.last;
      this.fresh = false;
      this.draw();
    } else if (!this.playing) this.play();
  }

  // One frame after the other, so that people can follow; scoring and reveals stay longer.
  play() {
    if (this.index >= this.game.last) {
      this.playing = null;
      return this.drawQuestion();
    }
    if (this.coach?.isOpen) {
      this.playing = null; // what is explained stays on the board until it is read
      return this.drawQuestion();
    }
    this.index += 1;
    this.note(this.index);
    this.draw();
    const linger = Math.max(1, ...this.game.frames[this.index].events.map((event) => LINGER[event.kind] ?? 1));
    const isLast = this.index === this.game.last;
    this.playing = setTimeout(() => this.play(), isLast ? 0 : (this.coach?.isPlayingOn ? QUICK_MS : STEP_MS) * linger);
  }

  goOn() {
    if (!this.playing && this.index < this.game.last) this.play();
    else this.drawQuestion();
  }

  note(index) {
    this.coach?.see(this.game.frames[index], this.game.positions[index], this.game.header.seat);
    this.log.prepend(h("li", {}, this.words.frame(this.game, index)));
    while (this.log.children.length > LOG_LINES) this.log.lastChild.remove();
  }

  get isShownWhole() {
    return this.index === this.game.last && this.index >= 0;
  }

  ask(turn) {
    const isLate = turn.number > this.turn.number && this.isAsked && performance.now() > this.until - LATE_MS;
    if (turn.number !== this.turn.number || turn.answer !== null) this.sent = null;
    const isNew = turn.number !== this.turn.number || turn.legal.length !== this.turn.legal.length;
    if (isNew) this.notice.hidden = true;
    if (isLate) this.say(this.words.say("late"));
    this.turn = turn;
    this.until = turn.legal.length ? performance.now() + turn.left_ms : 0;
    this.drawQuestion();
  }

  // Whether a decision is open that this page has not sent.
  get isAsked() {
    return this.turn.legal.length > 0 && this.turn.answer === null && !this.sent;
  }

  draw() {
    const { game, index, words } = this;
    if (index < 0) return;
    this.board.draw(game, index);
    this.seats.draw(game, index);
    setText(this.when, words.when(game.positions[index]));
    this.drawHand(game.positions[index]);
    this.markSeats();
    this.drawQuestion();
    this.root.dataset.step = game.name(index);
  }

  drawHand(position) {
    const { words } = this;
    const hand = position.hands[this.game.header.seat] ?? [];
    const key = JSON.stringify(hand);
    if (key === this.handKey) return;
    this.handKey = key;
    const cards = hand.flatMap((count, kind) => (count ? [h("li", {}, h("b", {}, `${words.phrases.cards[kind]}${count > 1 ? ` × ${count}` : ""}`), " ", words.phrases.card_texts[kind])] : []));
    this.hand.replaceChildren(h("h2", {}, words.say("your_hand")), cards.length ? h("ul", {}, ...cards) : h("p", { class: "faint" }, words.say("hand_none")));
  }

  drawQuestion() {
    const { turn, words, table } = this;
    const own = table?.seats[this.game.header?.seat];
    const isOver = table?.state === "over" || this.game.positions[this.index]?.over;
    const isOpen = this.isShownWhole && turn.legal.length && turn.answer === null && !this.sent && own?.state === "here" && !isOver;
    this.hint?.open(isOpen ? turn.number : null);
    this.root.dataset.turn = "";
    this.leaving.hidden = !table || table.state !== "playing" || own?.state !== "here" || Boolean(isOver && this.page.leave);
    if (table?.state === "waiting") return this.question.tell("");
    if (isOver) return this.drawEnding();
    if (own?.state === "bot") return this.question.tell(words.say("bot_plays"));
    if (own?.state === "resigned") return this.question.tell(words.say("you_resigned"));
    if (!this.isShownWhole) return this.question.tell(this.index < 0 ? words.say("wait_start") : "");
    if (turn.legal.length && turn.answer === null && !this.sent) {
      const before = this.question.key;
      this.question.ask(turn, this.game.positions[this.index]);
      this.root.dataset.turn = String(turn.number);
      this.coach?.asks(this.question.choices, this.game.positions[this.index]);
      this.hint?.markButtons();
      this.playOn();
      if (this.question.key !== before && this.isKeyboard()) this.question.focus(!this.isByKeys);
      return undefined;
    }
    if (turn.legal.length) return this.question.tell(words.say("wait_others"));
    const acting = this.game.positions[this.index].to_act;
    return this.question.tell(acting >= 0 && acting !== this.game.header.seat ? words.say("wait_turn", { seat: words.seat(this.game, acting) }) : words.say("wait_others"));
  }

  // Who plays by keyboard keeps the focus on the question; a mouse or a finger never loses its place on the page.
  isKeyboard() {
    if (!(this.isByKeys ?? !this.question.isCoarse)) return false;
    const at = document.activeElement;
    return !at || at === document.body || this.root.contains(at);
  }

  markSeats() {
    const { header } = this.game;
    this.seats.views?.forEach((view, seat) => {
      const state = this.table?.seats[seat].state;
      const said = [seat === header.seat ? this.words.say("you") : "", state && this.words.phrases[`seat_${state}`]].filter(Boolean).join(", ");
      view.element.dataset.note = said;
      view.note ??= view.element.querySelector(".names").appendChild(h("span", { class: "seat-note" }));
      setText(view.note, said);
    });
  }

  tick() {
    const left = this.until && this.turn.legal.length && this.turn.answer === null ? Math.max(0, Math.ceil((this.until - performance.now()) / 1000)) : null;
    setText(this.clock, left === null ? "" : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
    this.clock.classList.toggle("low", left !== null && left <= 10);
    if (this.sent && performance.now() - this.sent > RESEND_MS) {
      this.sent = null;
      this.say(this.words.say("wait_again"));
      this.drawQuestion();
    }
  }

  async decide(action) {
    if (this.sent) return;
    this.sent = performance.now();
    this.notice.hidden = true;
    this.drawQuestion();
    const refused = await this.post(this.page.decide, { number: this.turn.number, action });
    if (!refused) return;
    this.sent = null;
    this.question.key = null;
    this.say(refused);
    this.drawQuestion();
  }

  // Returns why it was refused, or nothing.
  async post(address, body) {
    return (await this.send(address, body)).refused;
  }

  async send(address, body) {
    const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
    try {
      const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json", "X-CSRFToken": token }, body: JSON.stringify(body) });
      const content = await answer.json().catch(() => ({ message: "" }));
      return answer.ok ? { content, refused: "" } : { refused: content.message || this.words.say("unreachable") };
    } catch {
      return { refused: this.words.say("unreachable") };
    }
  }

  async askHint(number) {
    const { content, refused } = await this.send(this.page.hint, { number });
    if (refused) this.say(refused);
    return content ?? null;
  }

  // In a first game somebody may let a house bot decide until there is something new to learn.
  async playOn() {
    if (!this.coach?.isPlayingOn || this.isPlayingOn || !this.root.dataset.turn) return;
    this.isPlayingOn = true;
    const { number } = this.turn;
    const hint = this.turn.legal.length > 1 ? await this.hint.request() : { action: this.turn.legal[0] };
    this.isPlayingOn = false;
    if (!hint) this.coach.stopPlayingOn();
    else if (this.coach.isPlayingOn && number === this.turn.number) await this.decide(hint.action);
    this.coach.draw();
  }

  say(text) {
    setText(this.notice, text);
    this.notice.hidden = !text;
  }

  leave(how) {
    const dialog = h("dialog", { class: "help-box", "aria-label": this.words.say(how) }, h("p", {}, this.words.say(`${how}_sure`)),
      h("form", { method: "dialog", class: "actions" }, h("button", { value: "yes", class: "danger" }, this.words.say(how)), h("button", { value: "", class: "quiet" }, this.words.say("cancel"))));
    dialog.addEventListener("close", async () => {
      if (dialog.returnValue === "yes") this.say(await this.post(`${this.page.leave}?how=${how}`, {}));
      dialog.remove();
    });
    this.root.append(dialog);
    dialog.showModal();
  }

  showTable(table) {
    table.seats.forEach((seat, at) => {
      const before = this.table?.seats[at].state;
      if (seat.state === "replaced" && before !== "replaced") this.say(this.words.say("bot_replaced", { seat: seat.name }));
    });
    this.table = table;
    document.body.dataset.table = table.state;
    const list = document.querySelector(".waiting-seats");
    list?.replaceChildren(...table.seats.map((seat) => h("li", {}, seat.state === "free" ? this.words.say("seat_free") : seat.name)));
    this.markSeats();
    this.drawQuestion();
  }

  drawEnding() {
    const { words, table, game } = this;
    this.question.tell("");
    const over = game.frames.flatMap((frame) => frame.events).find((event) => event.kind === "game_over");
    const place = over?.placements[game.header.seat];
    const key = JSON.stringify([table?.replay, table?.rematch, place]);
    if (key === this.endingKey) return;
    this.endingKey = key;
    const rematch = document.getElementById("rematch-form")?.content.firstElementChild.cloneNode(true);
    if (rematch && table?.rematch) rematch.querySelector("button").textContent = words.say("rematch_join");
    this.ending.hidden = false;
    this.question.element.hidden = true;
    this.coach?.end();
    const about = [h("h2", {}, place === 1 ? words.say("over_first") : words.say("over")), place > 1 ? h("p", {}, words.say("over_place", { place, seats: game.seats })) : null];
    const acts = table?.replay ? [h("a", { class: "button", href: table.replay }, words.say("replay")), rematch,
      h("a", { class: "button quiet", href: `${table.replay}#tab=explained` }, words.say("ask_champion")),
      h("button", { type: "button", class: "quiet", onclick: () => this.share(table.replay) }, words.say("share"))] : [];
    const more = this.page.coach ? summary(game, words, this.page.coach) : null;
    this.ending.replaceChildren(...[...about, h("div", { class: "actions" }, ...acts), more].filter(Boolean));
  }

  async share(address) {
    const link = new URL(address, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      this.say(this.words.say("link_copied"));
    } catch {
      this.say(link);
    }
  }
}

async function start() {
  const page = data("table-page");
  const board = await fetch(page.board).then((answer) => answer.json());
  const table = new TablePage(document.getElementById("seat"), page, board, new Words(data("table-words"), board));
  window.table = table;
  document.querySelector("[data-copy]")?.addEventListener("click", ({ target }) => navigator.clipboard?.writeText(target.dataset.copy).then(() => setText(target, target.dataset.copied)).catch(() => {}));
  table.connect();
}

if (document.getElementById("table-page")) start(); // a page that plays offline only uses the class
