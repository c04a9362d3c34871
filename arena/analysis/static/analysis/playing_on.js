// Continue with bots: who plays each seat, and how their games ended.
import { decimal, h, setText } from "../replays/dom.js";

const LOOK_MS = 2000;
const OTHER = "other";
const percent = (share) => `${decimal(100 * share)} %`;

export class PlayingOn {
  constructor(words, page, branch, post) {
    Object.assign(this, { words, page, branch, post });
    const shown = page.start.continuation;
    const select = (options, value) => h("select", {}, ...options.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text)));
    const seats = page.header.seats.map((seat, at) => [at, seat.name]);
    const kinds = [...page.bots, OTHER].map((bot) => [bot, words.say(`bot_${bot}`)]);
    const kindOf = (bot) => (bot === undefined ? page.bots[0] : page.bots.includes(bot) ? bot : OTHER);
    this.bots = seats.map(([at]) => select(kinds, kindOf(shown?.bots[at])));
    this.addresses = seats.map(([at, name]) => h("input", { list: "bot-addresses", maxlength: 60, autocomplete: "off", spellcheck: "false", autocapitalize: "none", "aria-label": words.say("address_of", { seat: name }), placeholder: words.say("address"), value: kindOf(shown?.bots[at]) === OTHER ? shown.bots[at] : page.addresses[at] ?? "" }));
    for (const one of this.bots) one.addEventListener("change", () => this.agree(one));
    this.seat = select(seats, shown?.seat ?? 0);
    this.isChosen = Boolean(shown);
    this.seat.addEventListener("change", () => (this.isChosen = true));
    this.games = h("input", { type: "number", min: 1, max: page.most, value: shown?.games ?? page.most, required: true });
    this.seed = h("input", { maxlength: 32, autocomplete: "off", value: shown?.seed ?? "" });
    this.button = h("button", {}, words.say("play_on"));
    this.limits = h("p", { class: "note", hidden: true }, words.say("hosts_note"), " ", page.left === null ? words.say("hosts_sign_in") : words.say("hosts_left", { left: page.left }));
    this.result = h("div", { class: "play-result", role: "status" });
    const field = (label, ...inputs) => h("div", { class: "field" }, h("label", {}, h("span", {}, label), inputs[0]), ...inputs.slice(1));
    this.element = h("section", { class: "card playing-on", "aria-labelledby": "continue-head" }, h("h2", { id: "continue-head" }, words.say("continue")), h("p", { class: "note" }, words.say("continue_note")),
      h("form", { onsubmit: (submit) => this.ask(submit) }, ...seats.map(([at, name]) => field(words.say("bot_of", { seat: name }), this.bots[at], this.addresses[at])), field(words.say("unknown_to"), this.seat), field(words.say("games"), this.games), field(words.say("seed"), this.seed), this.button,
        h("datalist", { id: "bot-addresses" }, ...page.addresses.map((value) => h("option", { value })))), this.limits, this.result);
    this.showAddresses();
    if (shown) this.show(shown);
  }

  // The quick player plays for all seats or for none, and so do bots on match hosts.
  agree(changed) {
    const { value } = changed;
    const instead = this.page.bots[1];
    for (const one of this.bots) {
      if (value === "quick" || value === OTHER) one.value = value;
      else if (one.value === "quick" || one.value === OTHER) one.value = instead;
    }
    changed.value = value;
    this.showAddresses();
  }

  showAddresses() {
    const isOther = this.bots[0].value === OTHER;
    for (const one of this.addresses) {
      one.hidden = !isOther;
      one.required = isOther;
    }
    this.limits.hidden = !isOther;
    const most = isOther ? this.page.most_on_hosts : this.page.most;
    this.games.max = String(most);
    if (Number(this.games.value) > most) this.games.value = String(isOther ? this.page.few : most);
  }

  draw(game, told) {
    if (!this.isChosen && told.seat >= 0) this.seat.value = String(told.seat);
    this.button.disabled = told.over;
  }

  async ask(submit) {
    submit.preventDefault();
    this.button.disabled = true;
    const bots = this.bots.map((one, at) => (one.value === OTHER ? this.addresses[at].value : one.value));
    const found = await this.post(this.page.continuations, { ...this.branch(), seat: Number(this.seat.value), bots, games: Number(this.games.value), seed: this.seed.value });
    this.button.disabled = false;
    if (found) this.show(found);
  }

  // Looks again until the games are over. Match hosts may be busy: the address stays good, whoever closes the page.
  async wait(found) {
    const { words } = this;
    const told = h("p", { class: "note" }, words.say(found.stop ? "playing_on_hosts" : "playing_on", { played: 0, games: found.games }));
    const bar = found.stop ? h("progress", { max: found.games, value: 0, "aria-label": words.say("continue") }) : null;
    const stop = found.stop && this.page.left !== null ? h("button", { type: "button", class: "quiet", onclick: () => this.stop(found) }, words.say("stop")) : null;
    this.result.replaceChildren(...[told, bar, stop, h("p", {}, h("a", { href: found.url, class: "own-address" }, words.say("own_address")))].filter(Boolean));
    for (this.waitingFor = found.key; this.waitingFor === found.key; await new Promise((resolve) => setTimeout(resolve, LOOK_MS))) {
      const answer = await fetch(`${found.url}result`).catch(() => null);
      if (this.waitingFor !== found.key) return;
      if (answer?.status === 200) return this.show(await answer.json());
      if (answer?.status === 202) {
        const { played } = await answer.json();
        if (bar) bar.value = played;
        if (found.stop) setText(told, words.say("playing_on_hosts", { played, games: found.games }));
      } else setText(told, words.say("failed"));
    }
  }

  async stop(found) {
    const ended = await this.post(found.stop, {});
    if (ended) this.show(ended);
  }

  show(found) {
    this.waitingFor = null;
    if (!found.result) return this.wait(found);
    const { words } = this;
    const { result } = found;
    const games = result.games ?? found.games;
    const parts = [h("p", {}, words.say("result_of", { games, seed: found.seed }))];
    if (found.ending) parts.push(h("p", { class: "notice" }, words.say(`ended_${found.ending}`, { games, wanted: found.games })));
    if (result.seats.length) parts.push(this.table(found), h("p", { class: "note" }, words.say("result_note")));
    for (const [key, counts] of [["seat_replaced", result.stood_in], ["seat_failed", result.failed]]) {
      for (const [seat, count] of (counts ?? []).entries()) if (count) parts.push(h("p", { class: "note" }, words.say(key, { seat: this.page.header.seats[seat].name, bot: found.bots[seat], count, games })));
    }
    return this.result.replaceChildren(...parts, h("p", {}, h("a", { href: found.url, class: "own-address" }, words.say("own_address"))));
  }

  table(found) {
    const { words } = this;
    const name = (bot) => (this.page.bots.includes(bot) ? words.say(`bot_${bot}`) : bot);
    const head = ["col_seat", "col_bot", "col_place", "col_wins", "col_places", "col_score"].map((key) => h("th", { scope: "col" }, words.say(key)));
    const rows = found.result.seats.map((one, seat) => h("tr", {}, h("th", { scope: "row" }, this.page.header.seats[seat].name), h("td", {}, name(found.bots[seat])), h("td", {}, `${decimal(one.place, 2)} ± ${decimal(one.place_error, 2)}`),
      h("td", {}, `${percent(one.wins)} (${percent(one.wins_low)} – ${percent(one.wins_high)})`), h("td", {}, one.places.join(" · ")), h("td", {}, `${decimal(one.score)} (${one.scores[0]} – ${one.scores[4]})`)));
    return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": words.say("continue") }, h("table", { class: "list" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)));
  }
}
