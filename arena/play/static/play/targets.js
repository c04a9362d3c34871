// The territories that can be chosen now, over the board: buttons for the mouse, for fingers and for the keyboard.
import { s } from "../replays/dom.js";

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Targets {
  constructor(board, label, onPick) {
    this.board = board;
    this.onPick = onPick;
    this.hinted = [];
    this.svg = s("svg", { viewBox: board.viewBox.join(" "), class: "overlay targets", role: "group", "aria-label": label });
    this.svg.addEventListener("click", ({ target }) => this.pick(target));
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  // Marks the territories of a hint, until the next call.
  hint(territories) {
    this.hinted = territories;
    for (const path of this.svg.querySelectorAll(".hinted")) path.remove();
    this.svg.append(...territories.map((t) => s("path", { d: this.board.territories[t].d, class: "hinted" })));
  }

  // `labels` says what choosing each territory does; `chosen` are those that are picked already.
  draw(labels, chosen = []) {
    const focused = this.svg.contains(document.activeElement);
    const key = JSON.stringify([...labels, chosen]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.svg.replaceChildren(
      ...chosen.map((t) => s("path", { d: this.board.territories[t].d, class: "chosen" })),
      ...[...labels].map(([t, label], at) => s("path", { d: this.board.territories[t].d, class: "target", role: "button", tabindex: at ? -1 : 0, "data-t": t, "aria-label": label }, s("title", {}, label))));
    this.hint(this.hinted);
    if (focused) this.focus();
  }

  get places() {
    return [...this.svg.querySelectorAll(".target")];
  }

  focus() {
    this.svg.querySelector(".target[tabindex='0']")?.focus({ preventScroll: true });
  }

  pick(place) {
    const one = place.closest(".target");
    if (one) this.onPick(Number(one.dataset.t));
  }

  key(event) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pick(event.target);
    } else if (WAYS[event.key]) {
      event.preventDefault();
      this.go(event.target, WAYS[event.key]);
    }
  }

  // The nearest target in the direction of the arrow; what lies aside counts as farther away.
  go(from, [dx, dy]) {
    const at = (place) => this.board.territories[place.dataset.t].label;
    const [x, y] = at(from);
    const far = (place) => {
      const [px, py] = at(place);
      const along = (px - x) * dx + (py - y) * dy, aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      return along > 4 ? along + 2 * aside : Infinity;
    };
    const next = this.places.filter((place) => place !== from && far(place) < Infinity).sort((a, b) => far(a) - far(b))[0];
    if (!next) return;
    for (const place of this.places) place.setAttribute("tabindex", place === next ? 0 : -1);
    next.focus({ preventScroll: true });
  }
}
