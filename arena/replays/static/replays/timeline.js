// The scrubber: a range input, which keyboards and screen readers know, over a strip of ages and phases.
import { h, setText } from "./dom.js";

export class Timeline {
  constructor(words, go) {
    this.words = words;
    this.strip = h("div", { class: "strip", "aria-hidden": "true" });
    this.range = h("input", { type: "range", min: 0, max: 0, value: 0, step: 1, class: "scrub", "aria-label": words.say("timeline") });
    this.range.addEventListener("input", () => go(Number(this.range.value)));
    this.marks = h("div", { class: "moments", "aria-hidden": "true" }); // the tab Story has them for the keyboard and the ear
    this.marks.addEventListener("click", ({ target }) => { if (target.dataset.index) go(Number(target.dataset.index)); });
    this.judged = h("div", { class: "moments judged", "aria-hidden": "true" }); // the tab Explained has them, too
    this.judged.addEventListener("click", ({ target }) => { if (target.dataset.index) go(Number(target.dataset.index)); });
    this.element = h("div", { class: "scrubber" }, this.strip, this.range, this.marks, this.judged);
  }

  draw(game, index) {
    const { words, range } = this;
    if (this.drawn !== game.frames || this.length !== game.last) {
      this.drawn = game.frames;
      this.length = game.last;
      range.max = game.last;
      this.drawStrip(game);
    }
    if (this.header !== game.header) {
      this.header = game.header;
      this.drawMoments(game);
    }
    range.value = index;
    const text = words.say("step_text", { step: game.name(index), last: game.name(game.last), when: words.when(game.positions[index]) });
    range.setAttribute("aria-valuetext", text);
  }

  drawMoments(game) {
    this.element.classList.toggle("has-moments", game.moments.length > 0);
    this.marks.replaceChildren(...game.moments.map((one) => {
      const mark = h("span", { class: `moment moment-${one.kind}`, title: this.words.moment(game, one), "data-index": one.index });
      mark.style.left = `${(100 * one.index) / Math.max(1, game.last)}%`;
      return mark;
    }));
  }

  // Decisions that stand out: a list of { index, mark, title }.
  drawJudged(game, decisions) {
    this.element.classList.toggle("has-judged", decisions.length > 0);
    this.judged.replaceChildren(...decisions.map((one) => {
      const mark = h("span", { class: `moment judged-${one.mark}`, title: one.title, "data-index": one.index }, one.mark === "blunder" ? "?" : "!");
      mark.style.left = `${(100 * one.index) / Math.max(1, game.last)}%`;
      return mark;
    }));
  }

  drawStrip(game) {
    const stretches = game.stretches();
    const parts = stretches.map((one, at) => {
      const end = stretches[at + 1]?.index ?? game.last + 1;
      const part = h("span", { class: `stretch phase-${one.phase}${stretches[at - 1]?.age === one.age ? "" : " first"}`, title: this.words.when(one) });
      part.style.flexGrow = end - one.index;
      if (one.phase === 1) setText(part, ["", "I", "II", "III", "IV", "V"][one.age]);
      return part;
    });
    this.strip.replaceChildren(...parts);
  }
}
