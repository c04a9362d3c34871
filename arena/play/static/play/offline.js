// A table of one person and house bots without the arena: the engine in this browser's worker is its host.
import { Engine, EngineError, Progress } from "../browser/engine.js";
import { data, h } from "../replays/dom.js";
import { Words } from "../replays/words.js";
import { TablePage } from "./table.js";

const CACHE = "play-offline";
const GAME = "offline-game", CHOICES = "offline-choices";

// What this browser keeps: the game, which goes on when the page is opened again, and what was last chosen. A browser may allow neither.
function keepText(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // then the game is gone when the page is closed
  }
}

function keptText(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

class OfflinePage extends TablePage {
  constructor(root, page, board, words, engine) {
    super(root, page, board, words);
    this.engine = engine;
    this.undoButton = h("button", { type: "button", class: "quiet", onclick: () => this.undo() }, words.say("undo"));
    this.again = h("button", { type: "button", class: "quiet", onclick: () => document.dispatchEvent(new Event("new-game")) }, words.say("new_game"));
    this.leaving.replaceChildren(this.undoButton, this.again);
  }

  playAgainst(names, edition) {
    return this.open("play", { seats: [null, ...names], edition });
  }

  async open(kind, game) {
    const { seats, edition } = game;
    this.header = { seat: 0, edition, seats: seats.map((name) => ({ name: name ? this.words.say("house", { name }) : this.words.say("guest"), url: null })) };
    const news = await this.engine.ask(kind, game);
    this.table = { state: "playing", seats: seats.map(() => ({ state: "here" })) };
    this.take(news);
  }

  take({ frames, anew, turn, kept }) {
    keepText(GAME, turn.legal.length ? kept : null); // a game that is over need not go on
    if (anew) {
      this.begin(this.header);
      this.ending.hidden = true;
      this.question.element.hidden = false;
      this.endingKey = null;
    }
    this.undoButton.disabled = !turn.can_undo;
    this.addFrames(frames);
    this.ask({ ...turn, answer: null });
  }

  async undo() {
    this.say(await this.tryTo("undo"));
    if (this.notice.hidden) this.say(this.words.say("undone"));
  }

  post(_, decision) {
    return this.tryTo("apply", decision);
  }

  // Returns why it was refused, or nothing.
  async tryTo(kind, values) {
    try {
      this.take(await this.engine.ask(kind, values));
      return "";
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return error.message;
    }
  }

  drawEnding() {
    super.drawEnding();
    if (this.ending.querySelector(".not-recorded")) return;
    this.ending.append(h("p", { class: "not-recorded" }, this.words.say("not_recorded")));
  }
}

// Keeps this page for the next time, as somebody sees it who is not signed in. The engine's files stay in the browser's own cache: their addresses never change.
async function keep(page) {
  if (!navigator.serviceWorker || !self.caches) return; // not a secure address: then the page works until it is closed
  await navigator.serviceWorker.register(page.service_worker);
  const used = performance.getEntriesByType("resource").map((entry) => entry.name);
  const own = used.filter((address) => address.startsWith(`${location.origin}/`) && !address.includes("/engine/") && !address.endsWith(page.service_worker));
  await caches.delete(CACHE);
  const cache = await caches.open(CACHE);
  await cache.addAll([location.pathname, ...new Set(own)].map((address) => new Request(address, { credentials: "omit" })));
  document.body.dataset.kept = "yes";
}

async function start() {
  const page = data("offline-page"), engineWords = data("engine-words");
  const form = document.getElementById("offline-form"), seat = document.getElementById("seat");
  const board = await fetch(page.board).then((answer) => answer.json());
  const progress = new Progress(form, page.engine, engineWords);
  const engine = new Engine(page.engine, engineWords, progress);
  const button = form.querySelector("button");
  let table = null;

  const chooseGame = (event) => {
    event.preventDefault();
    const chosen = new FormData(form);
    keepText(CHOICES, Object.fromEntries(chosen));
    return begin((opened) => opened.playAgainst(["first", "second", "third"].map((name) => chosen.get(name)).filter(Boolean), chosen.get("edition")));
  };

  async function begin(play) {
    if (button.disabled) return;
    button.disabled = true;
    try {
      table ??= window.table = new OfflinePage(seat, page, board, new Words(data("table-words"), board), engine);
      await play(table);
      progress.tell("");
      document.body.dataset.table = "playing";
      form.closest(".offline-form").hidden = true;
      seat.hidden = false;
      keep(page).catch(() => {}); // the game goes on without
    } catch (error) {
      progress.tell(error instanceof EngineError ? error.message : String(error.message));
    }
    button.disabled = false;
  }

  form.addEventListener("submit", chooseGame);
  document.addEventListener("new-game", () => {
    keepText(GAME, null);
    form.closest(".offline-form").hidden = false;
    seat.hidden = true;
    document.body.dataset.table = "waiting";
    form.querySelector("select").focus();
  });
  for (const [name, value] of Object.entries(keptText(CHOICES) ?? {})) {
    const choices = form.elements[name];
    if (choices instanceof HTMLSelectElement && [...choices.options].some((one) => one.value === value)) choices.value = value;
  }
  button.disabled = false;
  const kept = keptText(GAME);
  if (kept?.seats) await begin((opened) => opened.open("resume", kept));
}

start();
