// The tabs beside the board: log, scores, chance to win, and an author's own view.
import { Chart, legend } from "./charts.js";
import { h } from "./dom.js";
import { LogView } from "./log.js";
import { PlacesView } from "./places.js";
import { fetchPatiently } from "./source.js";

class Scores {
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

class Chances {
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

class Author {
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

export class Panels {
  constructor(words, go, page) {
    const parts = [["log", new LogView(words, go)], ["places", new PlacesView(words)], ["scores", new Scores(words, go)]];
    if (page.chances) parts.push(["chances", new Chances(words, go, page.chances)]);
    for (const own of page.author ?? []) parts.push([`author-${own.seat}`, new Author(words, go, own), words.say("author", { bot: own.name })]);
    this.parts = parts.map(([name, part, title]) => {
      const panel = h("div", { class: "panel", role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: "0", hidden: true }, part.element);
      const tab = h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: (click) => this.click(name, click) }, title ?? words.say(name));
      part.redraw = () => this.draw(...this.drawn); // data that arrives late is drawn at the step shown by then
      return { name, part, panel, tab };
    });
    const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": words.say("panels") }, ...this.parts.map((one) => one.tab));
    tabs.addEventListener("keydown", (press) => this.arrow(press));
    this.element = h("section", { class: "panels" }, tabs, ...this.parts.map((one) => one.panel));
    this.choose("log");
  }

  // A pointer leaves no focus behind, so that the arrow keys keep stepping; keyboard users move between tabs.
  click(name, click) {
    this.choose(name);
    if (click.detail) click.currentTarget.blur();
  }

  choose(name) {
    for (const one of this.parts) {
      const chosen = one.name === name;
      one.panel.hidden = !chosen;
      one.tab.setAttribute("aria-selected", String(chosen));
      one.tab.tabIndex = chosen ? 0 : -1;
      if (chosen) this.chosen = one;
    }
    if (this.drawn) this.draw(...this.drawn);
  }

  arrow(press) {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[press.key];
    if (!way) return;
    const next = this.parts[(this.parts.indexOf(this.chosen) + way + this.parts.length) % this.parts.length];
    this.choose(next.name);
    next.tab.focus();
    press.preventDefault();
    press.stopPropagation();
  }

  draw(game, index) {
    this.drawn = [game, index];
    this.chosen.part.draw(game, index);
  }
}
