// The key moments of a match, each of which leads to its step.
import { h, sign } from "./dom.js";

export class StoryView {
  constructor(words, viewer) {
    this.words = words;
    this.note = h("p", { class: "note" });
    this.list = h("ol", { class: "story-lines" });
    this.play = h("button", { type: "button", class: "story-play", onclick: () => viewer.toggleHighlights() }, words.say("highlights_play"));
    this.list.addEventListener("click", (click) => {
      const line = click.target.closest("[data-index]");
      if (line) viewer.jump(Number(line.dataset.index));
    });
    this.element = h("div", { class: "story" }, this.note, this.play, this.list);
  }

  draw(game, index) {
    if (this.header !== game.header) this.drawLines(game);
    for (const line of this.list.querySelectorAll("button")) line.toggleAttribute("aria-current", Number(line.dataset.index) === index);
  }

  drawLines(game) {
    const { words } = this;
    this.header = game.header;
    const found = game.moments;
    this.note.textContent = words.say(found.length ? "story_note" : "story_none");
    this.play.hidden = !found.length;
    this.list.replaceChildren(...found.map((one) => {
      const side = game.positions[one.index].side_of[one.seat];
      return h("li", {}, h("button", { type: "button", "data-index": one.index }, sign(`pawn-${words.tribe(game, side)}`, 20),
        h("span", {}, words.moment(game, one), h("small", {}, words.when(game.positions[one.index])))));
    }));
  }
}
