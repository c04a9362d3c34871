// Several running matches at once, over one connection.
import { BoardView } from "./board.js";
import { data, h, setText, sign } from "./dom.js";
import { Game } from "./game.js";
import { follow } from "./source.js";
import { Words } from "./words.js";

class Mini {
  constructor(root, board, words) {
    this.words = words;
    this.game = new Game("public");
    this.board = new BoardView(board, words);
    this.when = root.querySelector(".mini-when");
    this.scores = h("ul", { class: "mini-scores" });
    this.text = h("p", { class: "mini-text" });
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
    this.points ??= game.header.seats.map((seat, at) => {
      const points = h("b");
      this.scores.append(h("li", {}, sign(`pawn-${words.tribe(game, position.side_of[at])}`, 18), seat.name, points));
      return points;
    });
    this.points.forEach((points, seat) => setText(points, String(position.scores[seat])));
    this.root.dataset.step = game.name(game.last);
  }
}

async function start() {
  const page = data("boards-page");
  const board = await fetch(page.board).then((answer) => answer.json());
  const words = new Words(data("viewer-words"), board);
  const minis = new Map([...document.querySelectorAll("[data-match]")].map((root) => [root.dataset.match, new Mini(root, board, words)]));
  if (!minis.size) return;
  follow(page.events, {
    onHeader: (header) => { minis.get(header.match).game.header = header; },
    onFrame: (match, frame) => {
      minis.get(match).game.add(frame);
      minis.get(match).later();
    },
    onOver: (match) => minis.get(match).root.classList.add("over"),
    onState: (state) => document.querySelector(".boards").classList.toggle("is-broken", state !== "open"),
  });
}

start();
