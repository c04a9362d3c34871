// Charts over the steps: the scores, each seat's chance to win, an author's time per decision.
import { decimal, h, s, setAttribute } from "./dom.js";

const WIDTH = 460, HEIGHT = 210, LEFT = 40, BOTTOM = 22, TOP = 10;
const inner = { width: WIDTH - LEFT - 8, height: HEIGHT - TOP - BOTTOM };

export class Chart {
  constructor(title, go) {
    this.cursor = s("line", { class: "cursor", y1: TOP, y2: HEIGHT - BOTTOM });
    this.body = s("g");
    this.svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": title }, this.body, this.cursor);
    this.element = h("figure", { class: "chart-box" }, h("figcaption", {}, title), this.svg);
    this.svg.addEventListener("click", (click) => {
      const box = this.svg.getBoundingClientRect();
      const share = (((click.clientX - box.left) / box.width) * WIDTH - LEFT) / inner.width;
      go(Math.round(Math.max(0, Math.min(1, share)) * this.last));
    });
  }

  x(index) {
    return LEFT + (index / Math.max(1, this.last)) * inner.width;
  }

  y(value) {
    return TOP + (1 - value / this.most) * inner.height;
  }

  frame(last, most, stretches, unit = "") {
    this.last = last;
    this.most = most;
    const ages = stretches.filter((one, at) => at === 0 || stretches[at - 1].age !== one.age);
    const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * most));
    return [
      ...ticks.map((value) => s("g", { class: "tick" }, s("line", { x1: LEFT, x2: WIDTH - 8, y1: this.y(value), y2: this.y(value) }),
        s("text", { x: LEFT - 5, y: this.y(value) + 4, "text-anchor": "end" }, `${value}${unit}`))),
      ...ages.map((one) => s("g", { class: "tick age" }, s("line", { x1: this.x(one.index), x2: this.x(one.index), y1: TOP, y2: HEIGHT - BOTTOM }),
        s("text", { x: this.x(one.index) + 4, y: HEIGHT - 7 }, ["", "I", "II", "III", "IV", "V"][one.age]))),
    ];
  }

  // Scores change in steps, so the lines are horizontal and vertical.
  scores(game, words) {
    const most = Math.max(20, ...game.positions.at(-1).scores);
    const parts = this.frame(game.last, Math.ceil(most / 20) * 20, game.stretches());
    for (let seat = 0; seat < game.seats; seat += 1) {
      let line = `M${this.x(0)} ${this.y(0)}`;
      game.positions.forEach((position, at) => {
        if (at && position.scores[seat] !== game.positions[at - 1].scores[seat]) line += `H${this.x(at)}V${this.y(position.scores[seat])}`;
      });
      parts.push(s("path", { d: `${line}H${this.x(game.last)}`, class: `line seat-${words.tribe(game, seat)}` }, s("title", {}, words.seat(game, seat))));
    }
    this.body.replaceChildren(...parts);
  }

  // `moments` is a list of [index, [chance by seat]]; between two moments the chances are joined by lines.
  chances(game, words, moments) {
    const parts = this.frame(game.last, 100, game.stretches(), "%");
    const floor = moments.map(() => 0);
    for (let seat = 0; seat < game.seats; seat += 1) {
      const lower = moments.map(([index], at) => `${this.x(index)} ${this.y(floor[at])}`);
      const upper = moments.map(([index, shares], at) => `${this.x(index)} ${this.y((floor[at] += shares[seat] * 100))}`);
      parts.push(s("path", { d: `M${upper.join("L")}L${lower.reverse().join("L")}z`, class: `area seat-${words.tribe(game, seat)}` }, s("title", {}, words.seat(game, seat))));
    }
    this.body.replaceChildren(...parts);
  }

  bars(last, stretches, times, tribe) {
    const most = Math.max(1, ...times.map(([, ms]) => ms));
    this.body.replaceChildren(...this.frame(last, Math.ceil(most), stretches),
      ...times.map(([index, ms]) => s("line", { class: `bar seat-${tribe}`, x1: this.x(index), x2: this.x(index), y1: this.y(0), y2: this.y(ms) }, s("title", {}, `${decimal(ms)} ms`))));
  }

  point(index) {
    if (this.last === undefined) return;
    const x = this.x(index);
    setAttribute(this.cursor, "x1", x);
    setAttribute(this.cursor, "x2", x);
  }
}

export function legend(game, words) {
  return h("ul", { class: "legend" }, ...game.header.seats.map((seat, at) => h("li", {}, s("svg", { class: "sign", width: 16, height: 16, "aria-hidden": "true" }, s("use", { href: `#pawn-${words.tribe(game, at)}`, width: 16, height: 16 })), seat.name)));
}
