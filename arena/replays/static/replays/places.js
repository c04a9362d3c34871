// The board in words: who is where, for people who read it rather than see it.
import { h } from "./dom.js";

export class PlacesView {
  constructor(words) {
    this.words = words;
    this.note = h("p", { class: "note" }, words.say("places_none"));
    this.list = h("dl", { class: "places-list" });
    this.element = h("div", {}, this.note, this.list);
  }

  draw(game, index) {
    const { words } = this;
    const position = game.positions[index];
    const taken = words.board.territories.map((one, t) => [words.place(t), words.pawns(game, position, t)]).filter(([, pawns]) => pawns.length);
    taken.sort(([a], [b]) => a.localeCompare(b));
    this.note.hidden = taken.length > 0;
    this.list.replaceChildren(...taken.flatMap(([place, pawns]) => [h("dt", {}, place), h("dd", {}, pawns.join(", "))]));
  }
}
