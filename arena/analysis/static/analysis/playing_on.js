// Continue with bots: who plays each seat, and how their games ended.
import { h } from "../replays/dom.js";
import { fetchPatiently } from "../replays/source.js";

const PATIENCE = 90;
const percent = (share) => `${(100 * share).toFixed(1)} %`;

export class PlayingOn {
  constructor(words, page, branch, post) {
    Object.assign(this, { words, page, branch, post });
    const shown = page.start.continuation;
    const select = (options, value) => h("select", {}, ...options.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text)));
    const seats = page.header.seats.map((seat, at) => [at, seat.name]);
    this.bots = seats.map(([at]) => select(page.bots.map((bot) => [bot, words.say(`bot_${bot}`)]), shown?.bots[at] ?? page.bots[0]));
    for (const one of this.bots) one.addEventListener("change", () => this.agree(one));
    this.seat = select(seats, shown?.seat ?? 0);
    this.isChosen = Boolean(shown);
    this.seat.addEventListener("change", () => (this.isChosen = true));
    this.games = h("input", { type: "number", min: 1, max: page.most, value: shown?.games ?? page.most, required: true });
    this.seed = h("input", { maxlength: 32, autocomplete: "off", value: shown?.seed ?? "" });
    this.button = h("button", {}, words.say("play_on"));
    this.result = h("div", { class: "play-result", role: "status" });
    const field = (label, input) => h("label", { class: "field" }, h("span", {}, label), input);
    this.element = h("section", { class: "card playing-on", "aria-labelledby": "continue-head" }, h("h2", { id: "continue-head" }, words.say("continue")), h("p", { class: "note" }, words.say("continue_note")),
      h("form", { onsubmit: (submit) => this.ask(submit) }, ...seats.map(([at, name]) => field(words.say("bot_of", { seat: name }), this.bots[at])), field(words.say("unknown_to"), this.seat), field(words.say("games"), this.games), field(words.say("seed"), this.seed), this.button), this.result);
    if (shown) this.show(shown);
  }

  // The quick player plays for all seats or for none.
  agree(changed) {
    const { value } = changed;
    for (const one of this.bots) if (value === "quick") one.value = "quick";
      else if (one.value === "quick") one.value = "random";
  }

  draw(game, told) {
    if (!this.isChosen && told.seat >= 0) this.seat.value = String(told.seat);
    this.button.disabled = told.over;
  }

  async ask(submit) {
    submit.preventDefault();
    this.button.disabled = true;
    const found = await this.post(this.page.continuations, { ...this.branch(), seat: Number(this.seat.value), bots: this.bots.map((one) => one.value), games: Number(this.games.value), seed: this.seed.value });
    this.button.disabled = false;
    if (found) this.show(found);
  }

  async show(found) {
    if (!found.result) {
      this.result.replaceChildren(h("p", { class: "note" }, this.words.say("playing_on")));
      const answer = await fetchPatiently(`${found.url}result`, {}, PATIENCE).catch(() => null);
      if (answer?.status !== 200) return this.result.replaceChildren(h("p", { class: "note" }, this.words.say("failed")));
      return this.show(await answer.json());
    }
    const { words } = this;
    const head = ["col_seat", "col_bot", "col_place", "col_wins", "col_places", "col_score"].map((key) => h("th", { scope: "col" }, words.say(key)));
    const rows = found.result.seats.map((one, seat) => h("tr", {}, h("th", { scope: "row" }, this.page.header.seats[seat].name), h("td", {}, words.say(`bot_${found.bots[seat]}`)), h("td", {}, `${one.place.toFixed(2)} ± ${one.place_error.toFixed(2)}`),
      h("td", {}, `${percent(one.wins)} (${percent(one.wins_low)} – ${percent(one.wins_high)})`), h("td", {}, one.places.join(" · ")), h("td", {}, `${one.score.toFixed(1)} (${one.scores[0]} – ${one.scores[4]})`)));
    return this.result.replaceChildren(h("p", {}, words.say("result_of", { games: found.games, seed: found.seed })),
      h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": words.say("continue") }, h("table", { class: "list" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows))),
      h("p", { class: "note" }, words.say("result_note")), h("p", {}, h("a", { href: found.url, class: "own-address" }, words.say("own_address"))));
  }
}
