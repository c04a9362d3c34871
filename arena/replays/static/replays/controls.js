// Buttons, speed and view, and the keys and gestures that do the same.
import { h, setAttribute, sign } from "./dom.js";

const SPEEDS = [0.5, 1, 2, 4, 8, 16];
const SIDEWAYS = new Set(["ArrowLeft", "ArrowRight"]);
const ICONS = {
  first: "M6 5v14M19 5 9 12l10 7z", back: "M16 5 7 12l9 7z", play: "M7 4.5 19 12 7 19.5z", pause: "M8 5v14M16 5v14",
  next: "M8 5l9 7-9 7z", last: "M18 5v14M5 5l10 7-10 7z", full: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9v.01", link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  zoom: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20M10.5 7.5v6M7.5 10.5h6", star: "M12 4l2.4 5.1 5.6.7-4.1 3.8 1.1 5.5L12 16.4 7 19.1l1.1-5.5L4 9.8l5.6-.7z",
  chapter_back: "M14 6l-6 6 6 6", chapter_next: "M10 6l6 6-6 6", sound: "M5 10v4h3l4 3.5v-11L8 10zM15 9.5a3.5 3.5 0 0 1 0 5M17 7a7 7 0 0 1 0 10", silence: "M5 10v4h3l4 3.5v-11L8 10zM15.5 10l4 4M19.5 10l-4 4",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.01",
};

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

export class Controls {
  constructor(words, viewer) {
    this.words = words;
    this.viewer = viewer;
    const button = (name, act, key) => h("button", { type: "button", class: `control ${name}`, title: `${words.say(name)} (${key})`, "aria-label": words.say(name), onclick: act }, icon(name));
    this.play = button("play", () => viewer.toggle(), words.say("key_space"));
    this.speed = h("select", { "aria-label": words.say("speed"), onchange: () => viewer.setSpeed(Number(this.speed.value)) },
      ...SPEEDS.map((speed) => h("option", { value: speed, selected: speed === 1 }, `${speed}×`)));
    this.view = h("select", { "aria-label": words.say("view"), class: "view", onchange: () => viewer.setView(this.view.value) });
    this.decisions = h("div", { class: "decisions", role: "group", "aria-label": words.say("next_decision") });
    this.chapter = h("select", { "aria-label": words.say("jump"), title: words.say("jump"), class: "chapter", onchange: () => viewer.jump(Number(this.chapter.value)) });
    this.highlights = h("button", { type: "button", class: "control highlights", hidden: true, "aria-pressed": "false", title: `${words.say("highlights_long")} (H)`, onclick: () => viewer.toggleHighlights() }, icon("star"), words.say("highlights"));
    this.sound = button("silence", () => viewer.toggleSound(), "M");
    this.live = h("button", { type: "button", class: "live-now", hidden: true, onclick: () => viewer.toLive() }, words.say("live"));
    this.element = h("div", { class: "controls", inert: true }, // until there is a picture
      h("div", { class: "buttons" }, button("first", () => viewer.jump(0), "Home"), button("back", () => viewer.step(-1), "←"), this.play,
        button("next", () => viewer.step(1), "→"), button("last", () => viewer.jump(Infinity), "End")),
      this.speed, this.highlights, this.live, h("div", { class: "buttons chapters" }, button("chapter_back", () => viewer.chapter(-1), "["), this.chapter, button("chapter_next", () => viewer.chapter(1), "]")),
      this.decisions, h("div", { class: "looks" }, h("label", { class: "view-choice" }, h("span", {}, words.say("view")), this.view),
        h("div", { class: "buttons side-buttons" }, this.sound, button("zoom", () => viewer.zoom(), "Z"), button("link", () => viewer.share(), "C"), viewer.page.picture ? button("picture", () => viewer.picture(), "P") : null, button("full", () => viewer.full(), "F"), button("help", () => viewer.help(), "?"))));
    document.addEventListener("keydown", (press) => this.key(press));
    for (const select of [this.speed, this.view, this.chapter]) this.release(select);
    this.touch(viewer.board.element);
  }

  setViews(game, views, chosen) {
    const label = (view) => (view.startsWith("seat") ? this.words.say("view_seat", { seat: this.words.seat(game, Number(view.slice(4))) }) : this.words.say(`view_${view}`));
    this.view.replaceChildren(...views.map((view) => h("option", { value: view, selected: view === chosen }, label(view))));
    this.view.value = chosen;
    this.decisions.replaceChildren(h("span", { class: "label", "aria-hidden": "true" }, this.words.say("next_decision")), ...game.header.seats.map((seat, at) => h("button", {
      type: "button", class: "control decision", title: `${this.words.say("next_of", { seat: seat.name })} (${at + 1})`, "aria-label": this.words.say("next_of", { seat: seat.name }),
      onclick: (click) => this.viewer.nextOf(at, click.shiftKey ? -1 : 1),
    }, sign(`pawn-${this.words.tribe(game, at)}`, 20))));
  }

  // Ages, their phases, and the rounds and conflicts in them: made again only when there are more of them.
  setChapters(game, index) {
    const { words, chapter } = this;
    const found = game.chapters();
    if (this.shown !== game.frames || this.count !== found.length) {
      this.shown = game.frames;
      this.count = found.length;
      const ages = Map.groupBy(found, (one) => one.age);
      chapter.replaceChildren(...[...ages].map(([age, parts]) => h("optgroup", { label: words.say("age", { age }) },
        ...parts.map((one, at) => h("option", { value: one.index }, one.kind === "phase" || at === 0 ? words.chapter(one) : `\u2003${words.chapter(one)}`)))));
    }
    const { index: value } = game.chapterAt(index);
    if (this.chosen === value && this.chosenOf === found.length) return;
    this.chosen = value;
    this.chosenOf = found.length;
    chapter.value = value;
  }

  setHighlights(playing, available) {
    this.highlights.hidden = !available;
    setAttribute(this.highlights, "aria-pressed", playing);
  }

  // How far a live picture is behind what has been played, and the way to now.
  setBehind(following, behind) {
    this.live.hidden = following && behind < 3;
    this.live.textContent = this.words.say(behind ? "live_behind" : "live", { count: behind });
  }

  setSound(isOn) {
    const name = isOn ? "sound" : "silence";
    this.sound.replaceChildren(icon(name));
    this.sound.setAttribute("aria-pressed", String(isOn));
    for (const attribute of ["aria-label", "title"]) this.sound.setAttribute(attribute, this.words.say(name));
  }

  setPlaying(playing) {
    const name = playing ? "pause" : "play";
    this.play.replaceChildren(icon(name));
    this.play.setAttribute("aria-label", this.words.say(name));
    this.play.setAttribute("aria-pressed", String(playing));
  }

  faster(way) {
    const at = SPEEDS.indexOf(Number(this.speed.value)) + way;
    if (SPEEDS[at]) this.viewer.setSpeed(Number((this.speed.value = SPEEDS[at])));
  }

  key(press) {
    const { viewer } = this;
    const target = press.target.closest("dialog:not([open])") ? document.body : press.target; // a dialog that has just closed keeps the focus for a moment
    if (this.element.inert || press.ctrlKey || press.metaKey || press.altKey || target.closest("textarea, dialog, input:not([type=range])")) return;
    if (target.closest("select") && !SIDEWAYS.has(press.key)) return; // up and down change the selection
    const inRange = target.matches("input[type=range]");
    const keys = {
      " ": () => viewer.toggle(), ArrowLeft: () => viewer.step(-1), ArrowRight: () => viewer.step(1), Home: () => viewer.jump(0), End: () => viewer.jump(Infinity),
      PageUp: () => viewer.stretch(-1), PageDown: () => viewer.stretch(1), "-": () => this.faster(-1), "+": () => this.faster(1), f: () => viewer.full(),
      v: () => viewer.nextView(), c: () => viewer.share(), p: () => viewer.picture(), h: () => viewer.toggleHighlights(), m: () => viewer.toggleSound(), "[": () => viewer.chapter(-1), "]": () => viewer.chapter(1), z: () => viewer.zoom(), "?": () => viewer.help(),
    };
    for (let seat = 0; seat < 4; seat += 1) keys[String(seat + 1)] = () => viewer.nextOf(seat);
    const act = keys[press.key];
    if (!act || (press.key === " " && target.closest("button, a, summary"))) return;
    if (inRange && press.key.startsWith("Arrow")) return;
    act();
    press.preventDefault();
  }

  // After a choice with the pointer, the viewer handles the keys again.
  release(select) {
    let pointed = false;
    select.addEventListener("pointerdown", () => { pointed = true; });
    select.addEventListener("keydown", () => { pointed = false; });
    select.addEventListener("change", () => { if (pointed) select.blur(); });
  }

  touch(surface) {
    let from = null;
    surface.addEventListener("touchstart", (touch) => { from = touch.touches.length === 1 ? touch.touches[0] : null; }, { passive: true });
    surface.addEventListener("touchend", (touch) => {
      if (!from || surface.classList.contains("zoomed")) return;
      const to = touch.changedTouches[0];
      const [dx, dy] = [to.clientX - from.clientX, to.clientY - from.clientY];
      if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) this.viewer.step(dx < 0 ? 1 : -1);
      from = null;
    }, { passive: true });
  }
}
