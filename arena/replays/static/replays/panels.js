// The tabs beside the board: the log, and what is fetched when its tab is first opened.
import { h, style } from "./dom.js";
import { LogView } from "./log.js";

let styled; // one style sheet for all of these tabs

// A tab whose code and style come when somebody wants to see it.
class Later {
  constructor(make, styles) {
    Object.assign(this, { make, styles });
    this.element = h("div");
  }

  draw(game, index) {
    if (this.part) this.part.draw(game, index);
    else this.asked ??= this.fetch();
  }

  async fetch() {
    const [part] = await Promise.all([this.make(), this.styles && (styled ??= style(this.styles))]);
    this.part = part;
    this.part.redraw = () => this.redraw();
    this.element.append(this.part.element);
    this.redraw();
  }
}

export class Panels {
  constructor(words, go, page, viewer) {
    const later = (make) => new Later(make, page.styles);
    const parts = [["log", new LogView(words, go)],
      ["story", later(async () => new (await import("./story.js")).StoryView(words, viewer))],
      ["places", later(async () => new (await import("./places.js")).PlacesView(words))],
      ["scores", later(async () => new (await import("./graphs.js")).Scores(words, go))]];
    if (page.chances) parts.push(["chances", later(async () => new (await import("./graphs.js")).Chances(words, go, page.chances))]);
    if (page.explained) parts.push(["explained", later(async () => new (await import("../analysis/explained.js")).Explained(words, viewer, page))]);
    for (const own of page.author ?? [])
      parts.push([`author-${own.seat}`, later(async () => new (await import("./graphs.js")).Author(words, go, own)), words.say("author", { bot: own.name })]);
    this.parts = parts.map(([name, part, title]) => {
      const panel = h("div", { class: "panel", role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: "0", hidden: true }, part.element);
      const tab = h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: (click) => this.click(name, click) }, title ?? words.say(name));
      part.redraw = () => this.draw(...this.drawn); // data that arrives late is drawn at the step shown by then
      return { name, part, panel, tab };
    });
    const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": words.say("panels") }, ...this.parts.map((one) => one.tab));
    tabs.addEventListener("keydown", (press) => this.arrow(press));
    this.element = h("section", { class: "panels" }, tabs, ...this.parts.map((one) => one.panel));
    const wanted = new URLSearchParams(location.hash.slice(1)).get("tab"); // an address may name a tab: #tab=explained
    this.choose(this.parts.some((one) => one.name === wanted) ? wanted : "log");
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
