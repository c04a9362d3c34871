// The tab that explains decisions: what each was worth over what its seat knew, and what would have been better.
import { Chart } from "../replays/charts.js";
import { decimal, h, s } from "../replays/dom.js";
import { fetchPatiently } from "../replays/source.js";
import { actionText } from "./action_words.js";

const PATIENCE = 60;
const points = (tenths) => decimal(tenths / 10);
const percent = (thousandths) => decimal(thousandths / 10);

export class Explained {
  constructor(words, viewer, page) {
    Object.assign(this, { words, viewer, page });
    this.note = h("p", { class: "note", role: "status" }, words.say("explained_wait"));
    this.decision = h("section", { class: "judged-decision" });
    this.rest = h("div");
    this.element = h("div", { class: "explained" }, this.note);
  }

  draw(game, index) {
    if (!this.asked) this.ask();
    if (!this.found) return;
    if (this.drawn !== game.frames) this.drawGame(game);
    this.drawDecision(game, index);
    this.chart.point(index);
  }

  async ask() {
    this.asked = true;
    const answer = await fetchPatiently(this.page.explained, {}, PATIENCE).catch(() => null);
    if (answer?.status !== 200) {
      this.note.textContent = this.words.say("explained_none");
      return;
    }
    this.found = await answer.json();
    this.words = this.words.with(this.found.words);
    const { worlds, seed, is_final: isFinal } = this.found;
    this.note.textContent = `${this.words.say("explained_note", { worlds, seed })} ${isFinal ? "" : this.words.say("explained_better")}`;
    this.element.replaceChildren(this.decision, this.rest, this.note);
    this.redraw();
  }

  // Steps differ from view to view, so everything is placed anew.
  drawGame(game) {
    const { words } = this;
    this.drawn = game.frames;
    this.byIndex = new Map(this.found.decisions.map((one) => [game.find(...one.at), one]));
    this.marked = [...this.byIndex].filter(([, one]) => one.mark).map(([index, one]) => ({
      index, mark: one.mark, seat: one.seat,
      title: words.say("mark_line", { mark: words.say(`mark_${one.mark}`), seat: words.seat(game, one.seat), points: points(one.mark === "blunder" ? one.loss : one.tried[0][1] - one.tried[1][1]) }),
    }));
    this.toggle ??= h("input", { type: "checkbox", checked: true, onchange: () => this.drawMarks(this.viewer.game) });
    this.drawMarks(game);
    this.chart = new Chart(words.say("expectations"), (index) => this.viewer.jump(index));
    this.seat ??= h("select", { "aria-label": words.say("expectations_of"), onchange: () => this.drawCurve(this.viewer.game) });
    this.seat.replaceChildren(...game.header.seats.map((seat, at) => h("option", { value: at }, seat.name)));
    const list = this.marked.map((one) => h("li", {}, h("button", { type: "button", class: "quiet", onclick: () => this.viewer.jump(one.index) }, one.title)));
    this.rest.replaceChildren(h("label", { class: "check" }, this.toggle, " ", words.say("show_marks")), h("h3", {}, words.say("marked")),
      list.length ? h("ol", { class: "marked-lines" }, ...list) : h("p", { class: "note" }, words.say("marked_none")),
      this.seat, this.chart.element, h("p", { class: "curve-key note" }, h("span", { class: "key-own" }, words.say("own_view")), " ", h("span", { class: "key-open" }, words.say("open_view"))), this.splitTable(game));
    this.drawCurve(game);
  }

  drawMarks(game) {
    this.viewer.timeline.drawJudged(game, this.toggle.checked ? this.marked : []);
  }

  drawCurve(game) {
    const seat = Number(this.seat.value) || 0;
    const line = (name) => this.found.curve.filter((one) => one[name][seat] !== null).map((one) => `${this.chart.x(game.find(...one.at))} ${this.chart.y(one[name][seat] / 10)}`).join("L");
    const parts = this.chart.frame(game.last, 100, game.stretches(), "%");
    this.chart.body.replaceChildren(...parts, s("path", { d: `M${line("open")}`, class: "line curve-open" }), s("path", { d: `M${line("own")}`, class: `line seat-${this.words.tribe(game, seat)}` }));
  }

  splitTable(game) {
    const { words } = this;
    const head = ["col_result", "col_even", "col_luck", "col_play"].map((key) => h("th", { scope: "col", class: "number" }, words.say(key)));
    const rows = this.found.split.map((one, seat) => h("tr", {}, h("th", { scope: "row" }, words.seat(game, seat)),
      ...["result", "even", "luck", "play"].map((name) => h("td", { class: "number" }, `${name === "luck" || name === "play" ? (one[name] < 0 ? "" : "+") : ""}${percent(one[name])}`))));
    return h("section", {}, h("h3", {}, words.say("luck_and_play")), h("table", { class: "list split" }, h("thead", {}, h("tr", {}, h("td"), ...head)), h("tbody", {}, ...rows)), h("p", { class: "note" }, words.say("split_note")));
  }

  drawDecision(game, index) {
    const { words } = this;
    const one = this.byIndex.get(index);
    const key = `${game.view} ${index}`;
    if (key === this.shown) return;
    this.shown = key;
    const link = h("p", {}, h("a", { href: `${location.pathname}analysis/?step=${game.name(Math.max(0, index - 1))}` }, words.say("analyse")));
    if (!one) return this.decision.replaceChildren(h("p", { class: "note" }, words.say("decision_none")), link);
    const title = [words.say("decision_of", { seat: words.seat(game, one.seat) }), one.mark ? h("span", { class: `tag judged-tag-${one.mark}` }, words.say(`mark_${one.mark}`)) : null];
    const text = one.loss > 0 && one.best !== one.chosen ? words.say("cost", { points: points(one.loss), action: actionText(words, one.best) }) : words.say("cost_none");
    const rows = one.tried.map(([action, worth, share]) => h("tr", { class: action === one.chosen ? "is-chosen" : null }, h("td", {}, actionText(words, action), action === one.chosen ? ` (${words.say("chosen")})` : ""),
      h("td", { class: "number" }, points(worth)), h("td", { class: "number" }, `${percent(share)} %`)));
    const answer = h("p", { class: "champion-says", role: "status" });
    const ask = h("button", { type: "button", class: "quiet", onclick: () => this.askChampion(one, ask, answer) }, words.say("ask_champion"));
    return this.decision.replaceChildren(h("h3", {}, ...title), h("p", {}, text),
      h("table", { class: "list" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, words.say("col_action")), h("th", { scope: "col", class: "number" }, words.say("col_points")), h("th", { scope: "col", class: "number" }, words.say("col_share")))), h("tbody", {}, ...rows)),
      h("p", {}, ask), answer, link);
  }

  async askChampion(one, button, answer) {
    button.disabled = true;
    const reply = await fetchPatiently(this.page.explained.replace(/explained$/, `champion/${one.number}`)).catch(() => null);
    button.disabled = false;
    answer.textContent = reply?.ok ? this.words.say("champion_says", { action: actionText(this.words, (await reply.json()).action) }) : this.words.say("explained_none");
  }
}
