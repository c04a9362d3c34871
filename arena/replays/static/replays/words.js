// Says in words what happened, in the reader's language: the phrases come with the page.
export class Words {
  constructor(phrases, board) {
    this.phrases = phrases;
    this.board = board;
    const language = document.documentElement.lang || "en";
    this.plural = new Intl.PluralRules(language);
    this.list = new Intl.ListFormat(language);
  }

  // These words and more of them, which were sent later.
  with(more) {
    return new Words({ ...this.phrases, ...more }, this.board);
  }

  // A phrase that counts something comes in two forms, for one and for more.
  say(key, values = {}) {
    const phrase = this.phrases[key] ?? key;
    const text = Array.isArray(phrase) ? phrase[this.plural.select(values.count) === "one" ? 0 : 1] : phrase;
    return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  }

  seat(game, seat) {
    return game.header.seats[seat]?.name ?? "?";
  }

  // Which tribe's sign a side has: with two seats a side is a pair of tribes.
  tribe(game, side) {
    return game.seats === 2 ? side * 2 : side;
  }

  side(game, side) {
    return this.phrases[game.seats === 2 ? "factions" : "tribes"][side];
  }

  type(index) {
    return index < 0 ? this.phrases.wild : this.phrases.types[this.board.types[index]];
  }

  cardType(power) {
    return this.type(this.board.cards[power - 4].type);
  }

  territory(t) {
    return this.board.territories[t].name;
  }

  place(t) {
    return `${this.territory(t)} (${this.type(this.board.territories[t].type)})`;
  }

  // Who stands in a territory, with how many pawns.
  pawns(game, position, t) {
    return position.side_of.map((side, seat) => [seat, position.pawns[side * position.size + t]])
      .filter(([, count]) => count).map(([seat, count]) => `${this.seat(game, seat)} ${count}`);
  }

  // `before` is the position that the event changed: it says whose pawns a side's are.
  event(game, event, before) {
    const values = { ...event, count: event.count ?? event.points ?? event.cards };
    let key = event.kind;
    if ("seat" in event) values.seat = this.seat(game, event.seat);
    if (key === "pawns_removed") values.seat = this.seat(game, before.side_of.indexOf(event.side));
    for (const name of ["territory", "from", "to"]) if (name in event) values[name] = this.territory(event[name]);
    if ("seats" in event) values.seats = this.list.format(event.seats.map((seat) => this.seat(game, seat)));
    if (event.powers?.length > 1) key = this.why(game, event, values);
    if (key === "power_chosen" && event.card > 0) key = "power_chosen_known";
    if (key === "power_revealed") values.type = this.cardType(event.card);
    if (key === "card_drawn" && event.card >= 0) key = "card_drawn_known";
    if (key === "card_drawn_known" || key === "blessing_played") values.card = this.phrases.cards[event.card];
    if (key === "type_named") values.type = this.type(event.type);
    if (key === "pawns_taken") values.count = event.from_reserve + event.from_removed;
    if (key === "phase_began") values.phase = this.phrases.phases[event.phase];
    if (key === "game_over") values.seat = this.seat(game, event.placements.indexOf(1));
    return this.say(key, values);
  }

  // Why a conflict ended as it did: 9 × 1 beats 5 × 1.
  why(game, { kind, powers }, values) {
    const worth = ([, card, pawns]) => card * pawns;
    const [first, second] = powers;
    const shown = ([seat, card, pawns]) => this.say("power_of", { seat: this.seat(game, seat), card, pawns });
    values.mine = `${first[1]} × ${first[2]}`;
    values.others = this.list.format(powers.slice(1).map(shown));
    values.equal = powers.filter((one) => worth(one) === worth(first)).map(([, card, pawns]) => `${card} × ${pawns}`).join(" = ");
    return worth(first) === worth(second) ? `${kind}_equal` : `${kind}_why`;
  }

  // A key moment in a sentence.
  moment(game, moment) {
    const values = { ...moment, seat: this.seat(game, moment.seat), count: moment.points ?? moment.margin ?? moment.left };
    if ("territory" in moment) values.territory = this.territory(moment.territory);
    if (moment.kind === "card") values.card = this.phrases.cards[moment.card];
    return this.say(`moment_${moment.kind}`, values);
  }

  chapter(one) {
    if (one.kind === "round") return this.say("round", { number: one.round });
    if (one.kind === "conflict") return this.territory(one.territory);
    return this.phrases.phases[one.phase];
  }

  // One line for the log; with `all`, the full text for screen readers.
  frame(game, index, all = false) {
    const frame = game.frames[index];
    const left = all ? [] : ["pawns_taken", "turn_order", "domain_scored", "battle_won"];
    const told = frame.events.filter((event) => !left.includes(event.kind));
    if (!told.length) return frame.who >= 0 ? this.say("turn_ended", { seat: this.seat(game, frame.who) }) : this.say("nothing");
    const text = told.map((event) => this.event(game, event, game.positions[index - 1] ?? game.positions[index])).join(". ");
    return all ? text : this.sums(game, index, text);
  }

  // How the points of a scoring came about: each domain, and Blessings played before.
  sums(game, index, text) {
    const { events } = game.frames[index];
    const domains = events.filter((event) => event.kind === "domain_scored" && event.points).map((event) => `${event.size} + ${event.matches}²`);
    const blessed = events.filter((event) => event.kind === "blessing_played").reduce((sum, event) => sum + event.points, game.positions[index - 1]?.pending ?? 0);
    if (!domains.length || !events.some((event) => event.kind === "age_scored")) return text;
    return `${text} (${[...domains, ...(blessed ? [this.say("blessings", { points: blessed })] : [])].join(", ")})`;
  }

  when(position) {
    return this.say("when", { age: position.age, phase: this.phrases.phases[position.phase] });
  }
}
