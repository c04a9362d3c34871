// The board: the server's picture of it, and over that everything that moves.
import { calm, h, s, setAttribute, setText } from "./dom.js";

const TRIBES = ["#d2401f", "#0a8f9c", "#f5b817", "#5a31a6"];
const SLIDE_MS = 380;
const use = (name, x, y, size, extra = {}) => s("use", { href: `#${name}`, x: x - size / 2, y: y - size / 2, width: size, height: size, ...extra });

export class BoardView {
  // `image` is the picture of the board, if the page already has one. If it stands where it belongs, it stays there: moved, it
  // would have to be drawn again.
  constructor(board, words, image = null) {
    this.board = board;
    this.words = words;
    this.tokens = new Map();
    this.counters = [];
    this.moving = [];
    this.glow = s("g", { class: "glow" });
    this.domains = s("g", { class: "domains" });
    this.pawns = s("g", { class: "pawns" });
    this.badges = s("g", { class: "badges" });
    this.settled = s("g", { class: "settled" });
    this.track = s("g", { class: "counters" });
    this.marks = s("g", { class: "marks" });
    this.places = s("g", { class: "places" });
    this.svg = s("svg", { viewBox: board.viewBox.join(" "), "aria-hidden": "true", class: "overlay" },
      this.glow, this.domains, this.pawns, this.badges, this.settled, this.track, this.marks, this.places);
    this.image = image ?? h("img", { src: board.picture, width: board.viewBox[2], height: board.viewBox[3] });
    this.image.alt = ""; // each step is described in words
    this.image.draggable = false;
    this.stage = this.image.closest(".stage") ?? h("div", { class: "stage" }, this.image);
    this.stage.append(this.svg);
    this.element = this.stage.closest(".table") ?? h("div", { class: "table" }, this.stage);
    board.territories.forEach((one, t) => this.places.append(s("path", { d: one.d, "data-t": t }, s("title"))));
    this.places.addEventListener("pointerover", ({ target }) => this.describe(target));
  }

  describe(place) {
    const t = Number(place.dataset.t);
    if (!this.position || Number.isNaN(t)) return;
    setText(place.firstChild, [this.words.place(t), ...this.words.pawns(this.game, this.position, t)].join("\n"));
  }

  slot(t, side) {
    const places = this.board.territories[t].pawns;
    if (this.game.seats > 2) return places[side];
    const row = places[1][1] === places[2][1];
    return places[row ? side + 1 : side];
  }

  draw(game, index) {
    for (const one of this.moving) one.cancel(); // whoever steps quickly waits for nothing
    this.moving = [];
    this.slides = this.game === game && index === this.index + 1 && !calm(); // what is skipped does not move
    this.index = index;
    this.game = game;
    const position = (this.position = game.positions[index]);
    const frame = game.frames[index];
    this.drawPawns(position);
    this.drawSettled(position);
    this.drawCounters(position, frame);
    this.glow.replaceChildren();
    this.domains.replaceChildren();
    this.marks.replaceChildren();
    for (const event of frame.events) this.show[event.kind]?.call(this, event, position);
    for (const link of position.rafts) this.raft(link >> 6, link & 63);
    setAttribute(this.svg, "role", "img"); // an image only once there is something to tell
    this.svg.removeAttribute("aria-hidden");
    setAttribute(this.svg, "aria-label", this.words.frame(game, index, true));
  }

  drawPawns(position) {
    for (const [at, token] of this.tokens) if (!position.pawns[at] && token.count) this.setToken(at, token, 0);
    for (const [at, count] of Object.entries(position.pawns)) {
      const token = this.tokens.get(at) ?? this.newToken(at, position.size);
      if (token.count !== count) this.setToken(at, token, count);
    }
  }

  // A pawn walks from one territory to another; the one that waits there is seen once it has arrived.
  slide(from, to, side) {
    const [ax, ay] = this.slot(from, side), [bx, by] = this.slot(to, side);
    const walker = use(`pawn-${this.words.tribe(this.game, side)}`, 0, 0, 30, { class: "walker" });
    this.marks.append(walker);
    const timing = { duration: SLIDE_MS, easing: "ease-in-out" };
    const walk = walker.animate([{ transform: `translate(${ax}px, ${ay}px)` }, { transform: `translate(${bx}px, ${by}px)` }], timing);
    walk.onfinish = () => walker.remove();
    this.moving.push(walk);
    const token = this.tokens.get(String(side * this.position.size + to));
    if (token?.count === 1) this.moving.push(token.element.animate([{ opacity: 0 }, { opacity: 0 }], timing));
  }

  newToken(at, size) {
    const side = Math.floor(at / size), t = at % size;
    const [x, y] = this.slot(t, side);
    const name = `pawn-${this.words.tribe(this.game, side)}`;
    const under = use(name, 2.4, -2.8, 30, { class: "under" });
    const number = s("text", { y: 17 });
    const place = `translate(${x} ${y})`;
    const badge = s("g", { class: "badge", transform: place }, s("circle", { cy: 13, r: 7.4 }), number);
    const element = s("g", { class: "token", transform: place }, under, use(name, 0, 0, 30));
    this.pawns.append(element);
    this.badges.append(badge);
    const token = { element, badge, number, count: 0 };
    this.tokens.set(at, token);
    return token;
  }

  setToken(at, token, count) {
    token.element.classList.toggle("gone", !count);
    token.element.classList.toggle("many", count > 1);
    token.badge.classList.toggle("gone", count < 2);
    setText(token.number, count > 1 ? String(count) : "");
    token.count = count;
  }

  drawSettled(position) {
    if (this.shown === position.marks) return;
    this.shown = position.marks;
    this.settled.replaceChildren(...Object.entries(position.marks).map(([t, mark]) => {
      const [x, y] = this.board.territories[t].icon;
      return use(`mark-${mark}`, x + 11, y - 9, 17);
    }));
  }

  // Counters on one space are fanned out, but never off the board; the server's pictures do the same.
  stand(space, height, count) {
    const [x, y] = this.board.track[space];
    const above = height - (count - 1) / 2;
    return [x + 4 * above, y - Math.min(8, 15 / Math.max(count - 1, 1)) * above];
  }

  drawCounters(position, frame) {
    const byHeight = position.scores.map((_, seat) => seat).sort((a, b) => position.arrivals[a] - position.arrivals[b]);
    const heights = new Map();
    const spaceOf = (score) => score % this.board.track.length;
    const gained = new Set(frame.events.filter((event) => event.kind === "age_scored" || event.kind === "end_scored").map((event) => event.seat));
    for (const seat of byHeight) {
      const counter = this.counters[seat] ?? this.newCounter(seat);
      const score = position.scores[seat];
      const space = spaceOf(score);
      const height = heights.get(space) ?? 0;
      heights.set(space, height + 1);
      const [x, y] = this.stand(space, height, position.scores.filter((one) => spaceOf(one) === space).length);
      setAttribute(counter.element, "transform", `translate(${x} ${y})`);
      setAttribute(counter.lap, "y", 19 + this.board.track[space][1] - y);
      setAttribute(counter.sign, "href", `#pawn-${this.words.tribe(this.game, position.side_of[seat])}`);
      setText(counter.lap, score >= 100 ? `+${score - (score % 100)}` : "");
      counter.element.classList.toggle("gained", gained.has(seat));
      counter.height = height;
    }
    const wanted = byHeight.map((seat) => this.counters[seat].element);
    if (wanted.some((element, at) => this.track.children[at] !== element)) this.track.replaceChildren(...wanted);
  }

  newCounter(seat) {
    const picture = use("pawn-0", 0, 0, 25);
    const lap = s("text", { class: "lap", y: 19 });
    return (this.counters[seat] = { element: s("g", { class: "counter" }, picture, lap), sign: picture, lap });
  }

  territory(t, kind) {
    this.glow.append(s("path", { d: this.board.territories[t].d, class: `lit ${kind}` }));
  }

  mark(t, name) {
    const [x, y] = this.board.territories[t].icon;
    this.marks.append(use(`mark-${name}`, x, y, 34, { class: "stamp" }));
  }

  ring(t, side) {
    const [x, y] = this.slot(t, side);
    this.marks.append(s("circle", { cx: x, cy: y, r: 17, class: "ring" }));
  }

  raft(a, b) {
    const [ax, ay] = this.board.territories[a].icon, [bx, by] = this.board.territories[b].icon;
    const [x, y] = this.board.lakes.find(({ shores }) => shores.includes(a) && shores.includes(b)).at;
    const way = `M${ax} ${ay}Q${x} ${y} ${x} ${y}T${bx} ${by}`;
    this.marks.append(s("path", { class: "raft water", d: way }), s("path", { class: "raft", d: way }), use("card-5", x, y - 22, 38));
  }

  // An outline around several territories: a wide stroke around each, with their interior cut out.
  domain(event, position) {
    const shapes = event.territories.map((t) => this.board.territories[t].d).join("");
    const number = this.domains.childElementCount;
    const id = `domain-${(this.serial ??= (BoardView.serial = (BoardView.serial ?? 0) + 1))}-${number}`;
    const [x, y, width, height] = this.board.viewBox;
    const colour = TRIBES[this.words.tribe(this.game, position.side_of[event.seat])];
    const area = { x, y, width, height };
    const around = (name, wide, fill) => [
      s("mask", { id: name, maskUnits: "userSpaceOnUse", ...area }, s("path", { d: shapes, fill: "#fff", stroke: "#fff", "stroke-width": wide, "stroke-linejoin": "round" }), s("path", { d: shapes, fill: "#000" })),
      s("rect", { ...area, fill, mask: `url(#${name})` })];
    this.domains.append(s("g", { class: event.points ? "domain" : "domain idle" },
      s("path", { d: shapes, fill: colour, opacity: 0.25 }), ...around(`${id}-a`, 16, "#fffdf4"), ...around(`${id}-b`, 9, colour)));
    if (event.points) this.sum(event);
  }

  sum(event) {
    const middle = (axis) => event.territories.reduce((total, t) => total + this.board.territories[t].label[axis], 0) / event.territories.length;
    const [mx, my] = [middle(0), middle(1)];
    const far = ([x, y]) => (x - mx) ** 2 + (y - my) ** 2;
    const [x, y] = event.territories.map((t) => this.board.territories[t].label).sort((a, b) => far(a) - far(b))[0];
    this.marks.append(s("g", { class: "sum", transform: `translate(${x} ${y - 22})` },
      s("rect", { x: -38, y: -13, width: 76, height: 26, rx: 13 }),
      s("text", { y: 5 }, s("tspan", { class: "points" }, String(event.points)), s("tspan", { dx: 5 }, `${event.size}+${event.matches}²`))));
  }
}

BoardView.prototype.show = {
  pawn_placed(event) {
    this.territory(event.territory, "fresh");
    this.ring(event.territory, event.side);
    const token = this.slides && this.tokens.get(String(event.side * this.position.size + event.territory));
    if (token) this.moving.push(token.element.lastChild.animate([{ transform: "translateY(-26px)", opacity: 0 }, { transform: "none" }], { duration: SLIDE_MS / 2, easing: "ease-out" }));
  },
  eagle_placed(event) {
    this.show.pawn_placed.call(this, event);
    const [x, y] = this.slot(event.territory, event.side);
    this.marks.append(use("card-7", x, y - 24, 24, { class: "stamp" }));
  },
  pawn_moved(event) {
    this.territory(event.to, "fresh");
    const [ax, ay] = this.slot(event.from, event.side), [bx, by] = this.slot(event.to, event.side);
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
    const bend = Math.min(30, length / 4);
    const end = [bx - ux * 18, by - uy * 18];
    const middle = [(ax + bx) / 2 - uy * bend, (ay + by) / 2 + ux * bend];
    const curve = `M${ax + ux * 8} ${ay + uy * 8}Q${middle} ${end}`;
    const turn = (Math.atan2(end[1] - middle[1], end[0] - middle[0]) * 180) / Math.PI;
    this.marks.append(s("circle", { cx: ax, cy: ay, r: 13, class: "left" }),
      s("path", { d: curve, class: "arrow halo" }), s("path", { d: curve, class: "arrow" }),
      s("path", { d: "M4 0-9-7-6 0-9 7z", class: "head", transform: `translate(${end})rotate(${turn})` }));
    this.ring(event.to, event.side);
    if (this.slides) this.slide(event.from, event.to, event.side);
  },
  battle_declared(event) {
    this.territory(event.territory, "battle");
    this.mark(event.territory, "battle");
  },
  coexistence(event) {
    this.territory(event.territory, "peace");
    this.mark(event.territory, "peace");
  },
  conflict_tied(event) {
    this.territory(event.territory, "tie");
    this.mark(event.territory, "tie");
  },
  games_played(event) {
    const [x, y] = this.board.territories[event.territory].icon;
    this.marks.append(use("mark-games", x + 28, y, 30, { class: "stamp" }));
  },
  tlatoani_played(event) {
    this.territory(event.territory, "fresh");
    this.mark(event.territory, "crown");
  },
  pawns_removed(event) {
    this.territory(event.territory, "battle");
    const [x, y] = this.slot(event.territory, event.side);
    this.marks.append(use(`pawn-${this.words.tribe(this.game, event.side)}`, x, y, 26, { class: "ghost" }), use("mark-lost", x, y, 22, { class: "stamp" }));
  },
  domain_scored(event, position) {
    this.domain(event, position);
  },
};
