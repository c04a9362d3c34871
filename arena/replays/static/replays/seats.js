// The seats: who plays, what lies in front of them and what they hold, as far as this view may show it.
import { decimal, h, setText, sign } from "./dom.js";

const seconds = (ms) => (ms < 60000 ? `${decimal(ms / 1000)} s` : `${Math.floor(ms / 60000)}:${String(Math.floor((ms % 60000) / 1000)).padStart(2, "0")}`);

class SeatView {
  constructor(game, words, seat) {
    this.words = words;
    this.seat = seat;
    const who = game.header.seats[seat];
    const name = who.url ? h("a", { href: who.url, target: "_top" }, who.name) : h("span", {}, who.name);
    this.token = h("span", { class: "token-sign" });
    this.side = h("span", { class: "side" });
    const unseen = (key) => h("span", { class: "sr" }, `${words.say(key)}: `);
    this.rank = h("span");
    this.score = h("strong", { class: "score" });
    this.gain = h("span", { class: "gain" });
    this.power = h("div", { class: "power" });
    this.used = h("ul", { class: "used", "aria-label": words.say("power_cards") });
    this.hand = h("ul", { class: "hand", "aria-label": words.say("hand") });
    this.numbers = Object.fromEntries(["pool", "reserve", "removed", "clock"].map((key) => [key, h("dd")]));
    this.element = h("li", { class: "seat", "data-seat": seat },
      h("div", { class: "who" }, this.token, h("div", { class: "names" }, h("span", { class: "name" }, name), this.side), h("span", { class: "rank", title: words.say("rank") }, unseen("rank"), this.rank),
        h("span", { class: "points" }, this.gain, unseen("points"), this.score)),
      h("div", { class: "cards" }, this.power, h("div", { class: "held" }, this.used, this.hand), h("dl", { class: "numbers" }, ...Object.entries(this.numbers).map(([key, dd]) => h("div", { title: words.say(`${key}_long`) }, h("dt", {}, words.say(key)), dd)))));
  }

  // Redraws a part only if its content has changed.
  part(name, key, draw) {
    const wanted = JSON.stringify(key);
    if (this[`${name}Key`] === wanted) return;
    this[`${name}Key`] = wanted;
    this[name].replaceChildren(...[draw()].flat());
  }

  draw(game, position, frame) {
    const { words, seat } = this;
    const side = position.side_of[seat];
    this.part("token", side, () => sign(`pawn-${words.tribe(game, side)}`, 34));
    setText(this.side, words.side(game, side));
    setText(this.rank, String(position.order.indexOf(seat) + 1));
    setText(this.score, String(position.scores[seat]));
    const gain = frame.events.find((event) => event.kind === "age_scored" && event.seat === seat);
    setText(this.gain, gain ? `+${gain.points}` : "");
    this.drawPower(position);
    this.drawHand(position);
    setText(this.numbers.pool, String(position.pool[seat]));
    setText(this.numbers.reserve, String(position.reserve[side]));
    setText(this.numbers.removed, String(position.removed[side]));
    this.numbers.clock.parentElement.hidden = !position.clocks;
    if (position.clocks) setText(this.numbers.clock, seconds(position.clocks[seat]));
    this.element.classList.toggle("acting", position.to_act === seat);
    this.element.classList.toggle("acted", frame.who === seat);
    this.element.classList.toggle("won", frame.events.some((event) => event.kind === "game_over" && event.placements[seat] === 1));
  }

  drawPower(position) {
    const { words, seat } = this;
    const card = position.power[seat];
    this.part("power", [card, position.revealed], () => {
      if (!card) return h("div", { class: "power-card none", title: words.say("power_none") });
      if (card < 0) return h("div", { class: "power-card face-down", role: "img", "aria-label": words.say("power_hidden"), title: words.say("power_hidden") });
      const label = words.say(position.revealed ? "power_open" : "power_seen", { card, type: words.cardType(card) });
      const type = words.board.cards[card - 4].type;
      return h("div", { class: position.revealed ? "power-card" : "power-card unrevealed", role: "img", "aria-label": label, title: label },
        h("b", {}, String(card)), sign(`type-${type < 0 ? "wild" : words.board.types[type]}`, 24));
    });
    this.part("used", [position.used[seat], card], () => words.board.cards.map((one, at) => {
      const spent = (position.used[seat] >> at) & 1;
      const label = words.say(spent ? "card_used" : "card_unused", { card: at + 4, type: words.type(one.type), points: one.points });
      return h("li", { class: spent ? "spent" : "", title: label }, h("span", { "aria-hidden": "true" }, String(at + 4)), h("span", { class: "sr" }, label));
    }));
  }

  drawHand(position) {
    const { words, seat } = this;
    const hand = position.hands[seat], size = position.hand_sizes[seat];
    this.part("hand", [hand, size], () => {
      if (!hand) return [h("li", { class: "backs", title: words.say("hand_hidden", { count: size }) }, h("span", { class: "sr" }, words.say("hand_hidden", { count: size })),
        ...Array.from({ length: Math.min(size, 8) }, () => h("i", { class: "card-back", "aria-hidden": "true" })), size > 1 ? h("b", { "aria-hidden": "true" }, String(size)) : null)];
      return hand.flatMap((count, kind) => (count ? [h("li", { class: "held-card", title: `${words.phrases.cards[kind]}${count > 1 ? ` × ${count}` : ""}` },
        sign(`card-${kind}`, 20, words.phrases.cards[kind]), count > 1 ? h("b", {}, `${count}`) : null)] : []));
    });
  }
}

export class SeatsView {
  constructor(words) {
    this.words = words;
    this.element = h("ol", { class: "seats", "aria-label": words.say("seats") });
  }

  draw(game, index) {
    if (this.header !== game.header) {
      this.header = game.header;
      this.element.parentElement?.style.setProperty("--seats", game.seats);
      this.views = game.header.seats.map((_, seat) => new SeatView(game, this.words, seat));
      this.element.replaceChildren(...this.views.map((view) => view.element));
    }
    for (const view of this.views) view.draw(game, game.positions[index], game.frames[index]);
  }
}
