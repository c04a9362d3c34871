// The scrubber: a range input, which keyboards and screen readers know, over a strip of ages and phases.
import { h, setText } from "./dom.js";

export class Timeline {
  constructor(words, go) {
    this.words = words;
    this.strip = h("div", { class: "strip", "aria-hidden": "true" });
    this.range = h("input", { type: "range", min: 0, max: 0, value: 0, step: 1, class: "scrub", "aria-label": words.say("timeline") });
    this.range.addEventListener("input", () => go(Number(this.range.value)));
    this.element = h("div", { class: "scrubber" }, this.strip, this.range);
  }

  draw(game, index) {
    const { words, range } = this;
    if (this.drawn !== game.frames || this.length !== game.last) {
      this.drawn = game.frames;
      this.length = game.last;
      range.max = game.last;
      this.drawStrip(game);
    }
    range.value = index;
    const text = words.say("step_text", { step: game.name(index), last: game.name(game.last), when: words.when(game.positions[index]) });
    range.setAttribute("aria-valuetext", text);
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
