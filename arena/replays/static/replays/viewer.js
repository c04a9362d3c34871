// The replay viewer: one game, one view of it, one step at a time.
import { BoardView } from "./board.js";
import { Controls } from "./controls.js";
import { calm, h, setAttribute, setText } from "./dom.js";
import { Game } from "./game.js";
import { SeatsView } from "./seats.js";
import { addressOf, follow, load, readAddress } from "./source.js";
import { Timeline } from "./timeline.js";

const STEP_MS = 900;
const READ_MS = 700;
const HURRY = 40; // a live picture that is further behind than this many steps goes faster
const LINGER = { domain_scored: 2, end_scored: 3, power_revealed: 2 };

function wantsSound() {
  try {
    return localStorage.getItem("arena-sound") === "on";
  } catch {
    return false; // a reader who stores nothing is asked nothing
  }
}

export class Viewer {
  constructor(root, page, board, words) {
    Object.assign(this, { root, page, words });
    this.games = new Map();
    this.index = 0;
    this.speed = 1;
    this.following = Boolean(page.live);
    const go = (index) => this.jump(index);
    this.board = new BoardView(board, words, root.querySelector(".stage img"));
    this.seats = new SeatsView(words);
    this.timeline = new Timeline(words, go);
    this.side = h("div", { class: "viewer-side" }, this.seats.element);
    this.controls = new Controls(words, this);
    this.when = h("span", { class: "when" });
    this.deck = h("span", { class: "deck" });
    this.stepCount = h("span", { class: "step-count" });
    this.moment = h("strong", { class: "moment-note" });
    this.caption = h("p", { class: "caption" });
    this.spoken = h("p", { class: "sr", "aria-live": "polite" });
    this.toast = h("p", { class: "toast", role: "status" });
    const main = root.querySelector(".viewer-main") ?? h("div", { class: "viewer-main" }, this.board.element);
    main.append(h("div", { class: "headline" }, this.when, this.stepCount, this.moment, this.deck, this.caption), this.timeline.element, this.controls.element, this.toast);
    if (!main.isConnected) root.append(main);
    root.append(this.side, this.spoken);
    this.controls.setSound(false);
    addEventListener("hashchange", () => this.readAddress());
  }

  get game() {
    return this.games.get(this.view);
  }

  get isLive() {
    return this.page.live && this.following !== null;
  }

  get address() {
    return addressOf(this.page, this.view, this.game.name(this.index));
  }

  async start() {
    if (this.page.live) return this.startLive();
    const address = readAddress(this.page);
    return this.setView(address.view ?? this.page.views[0], address);
  }

  // The first picture is drawn before the log and the charts.
  async addPanels() {
    const { Panels } = await import("./panels.js");
    this.panels = new Panels(this.words, (index) => this.jump(index), this.page, this);
    this.side.append(this.panels.element);
    this.draw();
    if (wantsSound()) this.controls.setSound((await this.loadSound()).isOn);
  }

  async readAddress() {
    const { view, step, sub } = readAddress(this.page);
    clearTimeout(this.writing);
    const isShown = this.isLive ? this.view : await this.setView(view ?? this.view);
    if (isShown && step !== null) this.go(this.game.find(step, sub));
  }

  writeAddress() {
    const { hash } = location;
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      if (location.hash === hash) history.replaceState(null, "", this.address); // otherwise the user has typed another address, which is read next
    }, 200);
  }

  // If a view is requested while another is being fetched, the last one requested is shown.
  async setView(view, at = null) {
    const asked = (this.asked = { view });
    const found = this.games.get(view) ?? (await load(this.page.frames.replace("VIEW", view), new Game(view)).catch(() => null));
    if (found) this.games.set(view, found);
    if (this.asked !== asked) return false;
    if (!found) return this.refuseView();
    const before = this.game?.frames[this.index];
    const { step, sub } = at?.step != null ? at : (before ?? { step: 0 });
    this.view = view;
    this.index = found.find(step, sub ?? 0);
    this.controls.setViews(found, this.page.views, view);
    this.draw();
    if (before) this.writeAddress();
    return true;
  }

  refuseView() {
    this.asked = { view: this.view };
    this.controls.view.value = this.view ?? "";
    this.say(this.words.say("load_failed"));
    return false;
  }

  nextView() {
    const { views } = this.page;
    if (!this.isLive) this.setView(views[(views.indexOf(this.asked.view) + 1) % views.length]);
  }

  startLive() {
    const game = new Game("public");
    this.view = "public";
    this.asked = { view: "public" };
    this.games.set("public", game);
    this.root.classList.add("is-live");
    follow(this.page.live, {
      onHeader: (header) => {
        game.header = header;
        this.controls.setViews(game, ["public"], "public");
      },
      onFrame: (_, frame) => {
        game.add(frame);
        this.index = Math.min(this.index, game.last);
        if (!this.joined || calm()) this.index = this.following ? game.last : this.index;
        this.later();
      },
      onOver: () => { this.isOver = true; this.follow(); },
      onState: (state) => this.root.classList.toggle("is-broken", state !== "open"),
    });
  }

  // Many frames may come at once: what was played before we came is shown at once, what follows at reading speed.
  later() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.joined = true;
      this.draw();
      this.follow();
    });
  }

  // Bots may play faster than people read. Whoever follows sees every step, however late; one button leads to now.
  follow() {
    if (!this.isLive || !this.following || this.timer) return;
    const behind = this.game.last - this.index;
    if (behind <= 0) {
      if (this.isOver) this.finishLive();
      return;
    }
    this.timer = setTimeout(() => {
      this.timer = null;
      this.show(this.index + 1);
      this.follow();
    }, (READ_MS / this.speed) * Math.min(1, HURRY / behind));
  }

  async finishLive() {
    this.stop();
    this.root.classList.remove("is-live");
    this.following = null;
    this.controls.live.hidden = true;
    await this.showResults();
    const told = await load(this.page.frames.replace("VIEW", "public"), new Game("public")).catch(() => null);
    if (told) this.game.header = told.header; // it has the story now
    this.draw();
    this.controls.setViews(this.game, this.page.views, "public");
    this.say(this.words.say(this.page.views.length > 1 ? "live_over" : "live_over_public"));
  }

  // The page around the viewer was made before there were any; the address is one that no cache has yet.
  async showResults() {
    const answer = await fetch(`${location.pathname}?over`).catch(() => null);
    if (!answer?.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    this.page.views = JSON.parse(fresh.getElementById("viewer-page").textContent).views;
    for (const part of [".match-facts", ".results-grid"]) document.querySelector(part)?.replaceWith(fresh.querySelector(part));
  }

  toLive() {
    this.stop();
    this.following = true;
    this.show(this.game.last);
    this.follow();
  }

  draw() {
    const { game, index, words } = this;
    if (!game?.header || !game.frames.length) return;
    const position = game.positions[index];
    this.board.draw(game, index);
    this.seats.draw(game, index);
    this.timeline.draw(game, index);
    this.panels?.draw(game, index);
    if (this.panels) this.controls.setChapters(game, index); // its many lines come after the first picture
    this.controls.setHighlights(this.playing === "highlights", game.highlights.length > 0);
    setText(this.when, words.when(position));
    setText(this.stepCount, words.say("step_of", { step: game.name(index), last: game.name(game.last) }));
    const moment = game.moments.find((one) => one.index === index);
    setText(this.moment, moment ? words.moment(game, moment) : "");
    setText(this.deck, words.say("deck", { count: position.deck_size, discard: position.discard.reduce((sum, count) => sum + count, 0) }));
    const text = words.frame(game, index);
    setText(this.caption, text);
    setAttribute(this.caption, "title", text);
    if (!this.playing) setText(this.spoken, `${words.when(position)}. ${words.frame(game, index, true)}`);
    if (this.isLive) this.controls.setBehind(this.following, game.last - index);
    this.controls.element.inert = false;
    this.root.dataset.step = game.name(index);
  }

  // Somebody wants to see a step: what plays by itself stops.
  jump(index) {
    this.stop();
    this.go(index);
  }

  go(index) {
    if (this.isLive && this.game?.frames.length) {
      clearTimeout(this.timer);
      this.timer = null;
      this.following = Math.min(index, this.game.last) === this.game.last;
    }
    this.show(index);
    if (this.isLive) this.follow();
  }

  show(index) {
    const { game } = this;
    if (!game?.frames.length) return;
    const wanted = Math.max(0, Math.min(index, game.last));
    if (wanted === this.index + 1) this.sound?.play(game.frames[wanted].events);
    if (wanted === this.index && this.root.dataset.step === game.name(wanted)) return;
    this.index = wanted;
    this.draw();
    this.writeAddress();
  }

  step(way) {
    this.jump(this.index + way);
  }

  stretch(way) {
    this.turnTo(this.game.stretches(), way);
  }

  // To the round, conflict or phase before or after this one.
  chapter(way) {
    this.turnTo(this.game.chapters(), way);
  }

  turnTo(parts, way) {
    const starts = parts.map((one) => one.index);
    this.jump(way > 0 ? (starts.find((at) => at > this.index) ?? Infinity) : (starts.findLast((at) => at < this.index) ?? 0));
  }

  nextOf(seat, way = 1) {
    this.jump(this.game.nextOf(seat, this.index, way));
  }

  setSpeed(speed) {
    this.speed = speed;
  }

  toggle() {
    if (this.playing) return this.stop();
    if (this.index === this.game.last) this.go(0);
    this.begin("all");
    return this.tick();
  }

  begin(what) {
    clearTimeout(this.timer);
    this.playing = what;
    this.controls.setPlaying(true);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.playing = false;
    this.controls.setPlaying(false);
    this.controls.setHighlights(false, Boolean(this.game?.highlights.length));
  }

  // The match in about a minute, from its beginning.
  toggleHighlights() {
    if (this.playing === "highlights") return this.stop();
    if (!this.game?.highlights.length) return this.say(this.words.say("story_none"));
    this.begin("highlights");
    return this.beat(0);
  }

  // Each view has its own indexes, and the view may change meanwhile.
  beat(at) {
    const { highlights } = this.game;
    const [index, ms] = highlights[at];
    this.go(index);
    this.timer = setTimeout(() => (at + 1 < highlights.length ? this.beat(at + 1) : this.stop()), ms / this.speed);
  }

  async toggleSound() {
    this.controls.setSound((await this.loadSound()).toggle());
  }

  // Most readers never ask for sound, so it comes later than everything else.
  async loadSound() {
    const { Sound } = await import("./sound.js");
    return (this.sound ??= new Sound());
  }

  tick() {
    const linger = Math.max(1, ...this.game.frames[this.index].events.map((event) => LINGER[event.kind] ?? 1));
    this.timer = setTimeout(() => {
      this.go(this.index + 1);
      if (this.index === this.game.last) this.stop();
      else this.tick();
    }, (STEP_MS * linger) / this.speed);
  }

  zoom() {
    this.board.element.classList.toggle("zoomed");
  }

  async share() {
    clearTimeout(this.writing);
    const link = `${this.page.address}${this.address}`;
    try {
      await navigator.clipboard.writeText(link);
      this.say(this.words.say("copied"));
    } catch {
      this.say(link);
    }
  }

  // The server draws the picture, so that it can be sent, printed or shown without the viewer.
  picture() {
    if (this.page.picture) open(`${this.page.picture}?step=${this.game.frames[this.index].step}&view=${this.view}`, "_blank", "noopener");
  }

  full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.root.requestFullscreen?.();
  }

  help() {
    if (!this.dialog) this.root.append(this.helpBox());
    this.dialog.showModal();
  }

  helpBox() {
    const keys = ["space", "arrows", "pages", "ends", "lines", "chapters", "numbers", "speed", "highlights", "sound", "view", "zoom", "copy", "picture", "full"];
    this.dialog = h("dialog", { class: "help-box", "aria-label": this.words.say("help") }, h("h2", {}, this.words.say("help")),
      h("dl", {}, ...keys.flatMap((key) => [h("dt", {}, h("kbd", {}, this.words.say(`key_${key}`))), h("dd", {}, this.words.say(`does_${key}`))])),
      h("form", { method: "dialog" }, h("button", {}, this.words.say("close"))));
    return this.dialog;
  }

  say(text) {
    setText(this.toast, text);
    this.toast.classList.add("shown");
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => this.toast.classList.remove("shown"), 4000);
  }
}
