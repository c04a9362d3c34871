// The coach of a first game: explains each thing the first time it matters, and points at it.
import { h, setText } from "../replays/dom.js";

const STORE = "aztlan-coach-known";
// By lesson, the part of the page that it is about.
const ABOUT = { welcome: ".table", power: ".ask", place: ".table", move: ".table", eagle: ".ask", reveal: ".seats", conflict: ".ask", battle: ".table", coexistence: ".table",
  tie: ".table", hand: ".own-hand", games: ".ask", tlatoani: ".table", domains: ".table", type: ".ask", cards: ".ask", swap: ".seats", last: ".ask" };
const OF_EVENT = { power_revealed: "reveal", battle_declared: "battle", coexistence: "coexistence", conflict_tied: "tie", age_scored: "domains", factions_swapped: "swap" };
const OF_CHOICE = [["power", "power"], ["place", "place"], ["games", "games"], ["battle", "conflict"], ["tlatoani", "tlatoani"], ["type", "type"], ["blessing", "cards"], ["raft", "cards"],
  ["raft_all", "cards"], ["eagle", "eagle"], ["move", "move"]];

// What this browser has been told for good; a browser that stores nothing is told everything again.
function known() {
  try {
    const names = JSON.parse(localStorage.getItem(STORE) ?? "[]");
    return new Set(Array.isArray(names) ? names : []);
  } catch {
    return new Set();
  }
}

export class Coach {
  constructor(root, words, onClose, onPlayOn) {
    Object.assign(this, { root, words, onClose, onPlayOn });
    this.told = known();
    this.waiting = ["welcome"].filter((name) => !this.told.has(name));
    this.told.add("welcome");
    this.isOn = true;
    this.isPlayingOn = false;
    this.title = h("h2", { id: "coach-title", tabindex: -1 });
    this.text = h("p", {});
    const button = (key, act, kind = "quiet") => h("button", { type: "button", class: kind, onclick: act, "data-coach": key }, words.say(key));
    this.lesson = h("div", { class: "coach-lesson", role: "status" }, this.title, this.text,
      h("p", { class: "actions" }, button("got_it", () => this.close(), ""), button("never_again", () => this.close(true))));
    this.playOn = button("play_on", () => this.togglePlayOn());
    this.playOn.title = words.say("play_on_why");
    this.toggle = button("coach_end", () => this.turn());
    this.element = h("section", { class: "coach", "aria-label": words.say("coach") }, this.lesson, h("p", { class: "actions coach-more" }, this.playOn, this.toggle));
    this.draw();
  }

  get isOpen() {
    return this.isOn && this.waiting.length > 0;
  }

  // A lesson comes once in a game, and never again where somebody said so.
  teach(name) {
    if (!name || this.told.has(name) || !this.words.phrases.lessons[name]) return;
    this.told.add(name);
    this.waiting.push(name);
    this.stopPlayingOn();
    this.draw();
  }

  see(frame, position, own) {
    for (const event of frame.events) {
      this.teach(OF_EVENT[event.kind]);
      if (event.kind === "card_drawn" && event.seat === own) this.teach("hand");
      if (event.kind === "age_began") this.stopPlayingOn();
    }
  }

  asks(choices, position) {
    if (position.age === 5 && choices.has("power")) this.teach("last");
    this.teach(OF_CHOICE.find(([kind, name]) => choices.has(kind) && !this.told.has(name))?.[1]);
  }

  close(isForGood = false) {
    const name = this.waiting.shift();
    if (isForGood) {
      try {
        localStorage.setItem(STORE, JSON.stringify([...known(), name]));
      } catch {
        // private windows may store nothing
      }
    }
    this.draw();
    this.onClose();
  }

  turn() {
    this.isOn = !this.isOn;
    if (!this.isOn) this.waiting = [];
    this.draw();
    this.onClose();
  }

  togglePlayOn() {
    this.isPlayingOn = !this.isPlayingOn;
    this.draw();
    if (this.isPlayingOn) this.onPlayOn();
  }

  stopPlayingOn() {
    this.isPlayingOn = false;
    this.draw();
  }

  end() {
    this.isOn = this.isPlayingOn = false;
    this.waiting = [];
    this.element.hidden = true;
    this.draw();
  }

  draw() {
    const [name] = this.isOn ? this.waiting : [];
    const [title, text] = name ? this.words.phrases.lessons[name] : ["", ""];
    this.lesson.hidden = !name;
    this.element.dataset.lesson = name ?? "";
    this.element.dataset.playingOn = this.isPlayingOn ? "yes" : "no";
    setText(this.title, title);
    setText(this.text, text);
    setText(this.playOn, this.words.say(this.isPlayingOn ? "play_on_stop" : "play_on"));
    setText(this.toggle, this.words.say(this.isOn ? "coach_end" : "coach_again"));
    for (const one of this.root.querySelectorAll(".coach-points")) one.classList.remove("coach-points");
    if (name) this.root.querySelector(ABOUT[name])?.classList.add("coach-points");
  }
}
