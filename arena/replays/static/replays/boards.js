// Several matches at once, over one connection; those that are over stay at their end.
import { BoardView } from "./board.js";
import { data, h, setText, sign } from "./dom.js";
import { Game } from "./game.js";
import { follow, load } from "./source.js";
import { Words } from "./words.js";

const RELOAD_MS = 20000;

class Mini {
  constructor(root, board, words) {
    this.words = words;
    this.game = new Game("public");
    this.board = new BoardView(board, words);
    this.when = root.querySelector(".mini-when");
    this.scores = h("ul", { class: "mini-scores" });
    this.text = h("p", { class: "mini-text" });
    root.querySelector(".mini-wait")?.remove();
    root.append(this.board.element, this.scores, this.text);
    this.root = root;
  }

  later() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.draw();
    });
  }

  draw() {
    const { game, words } = this;
    if (!game.header || !game.frames.length) return;
    const position = game.positions.at(-1);
    this.board.draw(game, game.last);
    setText(this.when, words.when(position));
    setText(this.text, words.frame(game, game.last));
    const most = Math.max(...position.scores);
    this.scores.replaceChildren(...game.header.seats.map((seat, at) => h("li", { class: most && position.scores[at] === most ? "first" : "" },
      sign(`pawn-${words.tribe(game, position.side_of[at])}`, 18), seat.name, h("b", {}, String(position.scores[at])))));
    this.root.dataset.step = game.name(game.last);
  }

  // Frames of a match that was over before we came are no longer sent: they are in its replay.
  async finish(frames) {
    this.root.classList.add("over");
    if (this.game.frames.length) return;
    const game = await load(frames, new Game("public")).catch(() => null);
    if (game) this.game = game;
    this.later();
  }
}

async function start() {
  const page = data("boards-page");
  const board = await fetch(page.board).then((answer) => answer.json());
  const words = new Words(data("viewer-words"), board);
  const minis = new Map([...document.querySelectorAll("[data-match]")].map((root) => [root.dataset.match, new Mini(root, board, words)]));
  const running = new Set(minis.keys());
  follow(page.events, {
    onHeader: (header) => { minis.get(header.match).game.header = header; },
    onFrame: (match, frame) => {
      minis.get(match).game.add(frame);
      minis.get(match).later();
    },
    onOver: (match) => {
      minis.get(match).finish(page.frames.replace("MATCH", match));
      running.delete(match);
      if (!running.size && page.reload) setTimeout(() => location.reload(), RELOAD_MS); // others may have begun
    },
    onState: (state) => document.body.classList.toggle("is-broken", state !== "open"),
  });
}

start();
