// Several matches at once, over one connection. A board whose match is over makes room for a running match.
import { BoardView } from "./board.js";
import { calm, data, h, setText, sign } from "./dom.js";
import { Game } from "./game.js";
import { follow, load } from "./source.js";
import { Words } from "./words.js";

const RENEW_MS = 3000;
const STAY_MS = 5000; // the end of a match is shown for at least this long,
const REST_MS = 6000; // a replay rests at its end before it begins again
const LEAVE_MS = 20000; // and at most this long while another match is still running here
const BEAT_MS = 250;
const BEATS = 40;
const BEHIND = 12; // so many steps behind, a board offers to go to now

class Mini {
  constructor(root, board, words) {
    this.words = words;
    this.game = new Game("public");
    this.board = new BoardView(board, words);
    this.when = root.querySelector(".mini-when");
    this.scores = h("ul", { class: "mini-scores" });
    this.text = h("p", { class: "mini-text" });
    this.now = h("button", { type: "button", class: "mini-now", hidden: true, onclick: () => { this.shown = this.game.last - 1; } }, words.say("live"));
    root.querySelector(".shot")?.remove();
    root.append(this.board.element, this.scores, this.text, this.now);
    this.root = root;
    this.isLive = "live" in root.dataset;
    this.isReplay = "replay" in root.dataset;
    this.isOver = false; // and no more frames will come
    this.shown = -1;
  }

  get isDone() {
    return this.isOver && this.shown >= this.game.last;
  }

  // Quick bots play a whole match within a second: many frames that arrive together are spread over some seconds, a few are shown at once.
  beat(now) {
    const { game } = this;
    if (this.isReplay) return this.replay(now);
    if (this.isDone) this.doneAt ??= now;
    this.root.classList.toggle("over", this.isDone);
    if (!game.header || !game.frames.length || (this.drawn === game.frames && this.shown >= game.last)) return;
    if (this.drawn !== game.frames) this.shown = -1; // another attempt
    const left = game.last - this.shown;
    this.shown += this.isLive && !calm() ? Math.ceil(left / BEATS) : left;
    this.drawn = game.frames;
    this.now.hidden = !this.isLive || left < BEHIND;
    this.draw(game, this.shown);
  }

  // The highlights of a match that is over, again and again; for those who want no motion, its end.
  replay(now) {
    this.doneAt ??= now - STAY_MS; // it makes room for the next match that runs
    if (!this.beats || now < this.nextAt || document.hidden) return;
    const beats = calm() ? this.beats.slice(-1) : this.beats;
    this.at = ((this.at ?? -1) + 1) % beats.length;
    const [index, ms] = beats[this.at];
    this.nextAt = now + (this.at + 1 < beats.length ? ms : REST_MS);
    this.draw(this.game, index);
  }

  async startReplay(frames) {
    this.game = await load(frames, new Game("public"));
    this.beats = this.game.highlights.length ? this.game.highlights : [[this.game.last, REST_MS]];
    this.nextAt = 0;
  }

  draw(game, index) {
    const { words } = this;
    const position = game.positions[index];
    this.board.draw(game, index);
    setText(this.when, words.when(position));
    setText(this.text, words.frame(game, index));
    const most = Math.max(...position.scores);
    this.scores.replaceChildren(...game.header.seats.map((seat, at) => h("li", { class: most && position.scores[at] === most ? "first" : "" },
      sign(`pawn-${words.tribe(game, position.side_of[at])}`, 18), seat.name, h("b", {}, String(position.scores[at])))));
    this.root.dataset.step = game.name(index);
  }

  // Frames of a match that was over before we connected are no longer sent: they are in its replay.
  async finish(frames) {
    if (!this.game.frames.length) this.game = await load(frames, new Game("public")).catch(() => this.game);
    this.isOver = true;
  }
}

class Boards {
  constructor(page, board, words) {
    Object.assign(this, { page, board, words });
    this.minis = new Map();
    for (const root of document.querySelectorAll("[data-match]")) this.add(root);
    this.connect();
    setInterval(() => this.beat(), BEAT_MS);
    if (page.renew) setInterval(() => this.renew().catch(() => {}), RENEW_MS); // the server may be away just now
  }

  add(root) {
    const mini = new Mini(root, this.board, this.words);
    this.minis.set(root.dataset.match, mini);
    if (mini.isReplay) mini.startReplay(this.page.frames.replace("MATCH", root.dataset.match)).catch(() => {});
  }

  beat() {
    const now = performance.now();
    for (const mini of this.minis.values()) mini.beat(now);
  }

  // One connection for all boards. A new connection continues where the last one ended.
  connect() {
    const open = [...this.minis].filter(([, mini]) => !mini.isOver && !mini.isReplay).map(([match]) => match);
    const last = this.source?.close();
    this.source = null;
    if (!open.length) return;
    this.source = follow(`${this.page.events}?${open.map((match) => `match=${match}`).join("&")}`, {
      onHeader: (header) => { this.minis.get(header.match).game.header ??= header; },
      onFrame: (match, frame) => this.minis.get(match).game.add(frame),
      onOver: (match) => this.minis.get(match).finish(this.page.frames.replace("MATCH", match)),
      onState: (state) => document.body.classList.toggle("is-broken", state !== "open"),
    }, last);
  }

  // Running matches replace boards that are done and fill free places.
  async renew() {
    if (document.hidden) return;
    const answer = await fetch(this.page.renew);
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const news = [...fresh.querySelectorAll("[data-match][data-live]")].filter((root) => !this.minis.has(root.dataset.match));
    const room = this.page.most - this.minis.size;
    const done = this.doneFor(STAY_MS);
    const placed = news.slice(0, room + done.length);
    placed.forEach((root, at) => this.place(document.adoptNode(root), at < room ? null : done[at - room]));
    if (placed.length) this.connect();
    if ([...this.minis.values()].some((mini) => !mini.isDone)) {
      for (const mini of this.doneFor(LEAVE_MS)) if (mini.isLive) this.remove(mini, mini.root.closest("li"));
    }
  }

  doneFor(time) {
    return [...this.minis.values()].filter((mini) => performance.now() - mini.doneAt > time);
  }

  place(root, old) {
    if (old) this.remove(old, old.root, root);
    else document.querySelector(".boards").append(h("li", {}, root));
    this.add(root);
    root.closest(".watch-now")?.classList.add("is-live");
    document.querySelector("[data-follow]")?.setAttribute("href", root.querySelector("a").href);
  }

  remove(mini, element, successor = null) {
    this.minis.delete(mini.root.dataset.match);
    if (successor) element.replaceWith(successor);
    else element.remove();
  }
}

async function start() {
  const page = data("boards-page");
  const board = await fetch(page.board).then((answer) => answer.json());
  window.boards = new Boards(page, board, new Words(data("viewer-words"), board));
}

start();
