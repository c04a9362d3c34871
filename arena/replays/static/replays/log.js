// What happened, in words; each line leads to its step.
import { h, sign } from "./dom.js";

export class LogView {
  constructor(words, go) {
    this.words = words;
    this.list = h("ol", { class: "log-lines" });
    this.element = h("div", { class: "log" }, this.list);
    this.list.addEventListener("click", (click) => {
      const line = click.target.closest("[data-index]");
      if (line) go(Number(line.dataset.index));
    });
    this.list.addEventListener("keydown", (press) => this.arrow(press));
    this.lines = [];
  }

  // Only one of hundreds of lines is a tab stop; the arrow keys move between lines.
  arrow(press) {
    const way = { ArrowUp: -1, ArrowDown: 1 }[press.key];
    const at = Number(press.target.closest("[data-index]")?.dataset.index);
    if (!way || !this.lines[at + way]) return;
    this.lines[at + way].focus();
    press.preventDefault();
  }

  // Once per animation frame, not once per step: the list is long, and scrolling it forces a layout.
  draw(game, index) {
    this.wanted = [game, index];
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.show(...this.wanted);
    });
  }

  show(game, index) {
    if (this.frames !== game.frames) {
      this.frames = game.frames;
      this.lines = [];
      this.list.replaceChildren();
    }
    const fresh = [];
    for (let at = this.lines.length; at <= game.last; at += 1) fresh.push(...this.line(game, at));
    if (fresh.length) this.list.append(...fresh);
    this.current?.removeAttribute("aria-current");
    this.current?.setAttribute("tabindex", "-1");
    this.current = this.lines[Math.min(index, game.last)]; // another attempt may have begun since `draw`
    this.current.setAttribute("aria-current", "step");
    this.current.setAttribute("tabindex", "0");
    const panel = this.element.parentElement;
    panel.scrollTop = this.current.offsetTop - panel.clientHeight / 2;
  }

  line(game, at) {
    const { words } = this;
    const frame = game.frames[at], position = game.positions[at], before = game.positions[at - 1];
    const items = [];
    if (!before || before.age !== position.age || before.phase !== position.phase)
      items.push(h("li", { class: before?.age === position.age ? "log-phase" : "log-phase log-age" }, words.when(position)));
    const chapter = game.chapterAt(at);
    if (chapter.kind === "round" && chapter.index === at) items.push(h("li", { class: "log-round" }, words.chapter(chapter)));
    const side = frame.who >= 0 ? (before ?? position).side_of[frame.who] : -1;
    const line = h("button", { type: "button", "data-index": at, tabindex: "-1" },
      h("span", { class: "log-step" }, game.name(at)), side >= 0 ? sign(`pawn-${words.tribe(game, side)}`, 16) : h("span"),
      h("span", {}, words.frame(game, at)));
    this.lines[at] = line;
    items.push(h("li", {}, line));
    return items;
  }
}
