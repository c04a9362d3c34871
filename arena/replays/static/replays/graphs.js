// What the tabs with charts show: scores, chances to win, and an author's own view.
import { Chart, legend } from "./charts.js";
import { h } from "./dom.js";
import { fetchPatiently } from "./source.js";

export class Scores {
  constructor(words, go) {
    this.words = words;
    this.chart = new Chart(words.say("scores"), go);
    this.element = h("div", {}, this.chart.element);
  }

  draw(game, index) {
    if (this.drawn !== game.frames || this.length !== game.last) {
      this.drawn = game.frames;
      this.length = game.last;
      this.chart.scores(game, this.words);
      this.key ??= this.element.appendChild(legend(game, this.words));
    }
    this.chart.point(index);
  }
}

const PATIENCE = 60;

export class Chances {
  constructor(words, go, url) {
    this.words = words;
    this.url = url;
    this.chart = new Chart(words.say("chances"), go);
    this.note = h("p", { class: "note" }, words.say("chances_wait"));
    this.element = h("div", {}, this.note);
  }

  draw(game, index) {
    if (!this.asked) this.ask(game);
    if (this.found && this.drawn !== game.frames) {
      this.drawn = game.frames;
      this.chart.chances(game, this.words, this.found.moments.map(([step, shares]) => [game.find(step), shares]));
    }
    this.chart.point(index);
  }

  async ask(game) {
    this.asked = true;
    const answer = await fetchPatiently(this.url, {}, PATIENCE);
    if (answer.status !== 200) return;
    this.found = await answer.json();
    this.note.textContent = this.words.say("chances_note", { playouts: this.found.playouts });
    this.element.append(this.chart.element, legend(game, this.words), this.note);
    this.redraw();
  }
}

export class Author {
  constructor(words, go, { seat, url, is_own: isOwn }) {
    this.words = words;
    this.seat = seat;
    this.url = url;
    this.chart = new Chart(words.say("times"), go);
    this.note = h("pre", { class: "bot-note", tabindex: "0" });
    this.output = h("pre", { class: "bot-output", tabindex: "0" });
    this.element = h("div", { class: "author" }, h("p", { class: "note" }, words.say(isOwn ? "author_note" : "staff_note")), this.chart.element,
      h("h3", {}, words.say("notes")), this.note, h("h3", {}, words.say("output")), this.output);
  }

  // The steps of notes and times differ from view to view, as what is seen of them does.
  draw(game, index) {
    if (this.asked !== game.view) this.ask(game.view);
    if (this.found && this.drawn !== this.found) {
      this.drawn = this.found;
      this.notes = this.found.notes.map(([step, sub, text]) => [game.find(step, sub), text]);
      const times = this.found.times.map(([step, sub, us]) => [game.find(step, sub), us / 1000]);
      this.chart.bars(game.last, game.stretches(), times, this.words.tribe(game, this.seat));
    }
    this.chart.point(index);
    const note = this.notes?.findLast(([at]) => at <= index);
    this.note.textContent = note ? `${this.words.say("at_step", { step: game.name(note[0]) })}\n${note[1]}` : this.words.say("notes_none");
  }

  async ask(view) {
    this.asked = view;
    this.found = this.notes = null;
    const answer = await fetchPatiently(`${this.url}?view=${view}`);
    const found = answer.ok ? await answer.json() : null;
    if (!found || this.asked !== view) return;
    this.found = found;
    this.output.textContent = this.found.output || this.words.say("output_none");
    this.redraw();
  }
}
