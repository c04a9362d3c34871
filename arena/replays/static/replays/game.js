// A game as frames, and the position after each. It knows no rules: frames say what changed.
const MARKS = { battle_declared: "battle", coexistence: "peace", conflict_tied: "tie" };

function fold(before, frame) {
  const after = { ...before, ...frame.set };
  if (frame.set.pawns) {
    after.pawns = { ...before.pawns };
    for (const [at, count] of Object.entries(frame.set.pawns)) {
      if (count) after.pawns[at] = count;
      else delete after.pawns[at];
    }
  }
  for (const event of frame.events) {
    if (event.kind === "age_began") after.marks = {};
    else if (MARKS[event.kind]) after.marks = { ...after.marks, [event.territory]: MARKS[event.kind] };
  }
  return after;
}

// Who a frame is about: the seat that acted, or the seats that its events name.
function seatOf(frame) {
  if (frame.seat >= 0) return frame.seat;
  const named = new Set(frame.events.filter((event) => "seat" in event).map((event) => event.seat));
  return named.size === 1 ? [...named][0] : -1;
}

export class Game {
  constructor(view) {
    this.view = view;
    this.header = null;
    this.frames = [];
    this.positions = [];
  }

  add(frame) {
    if (frame.step === 0 && !frame.sub && this.frames.length) {
      this.frames = []; // another attempt at the same match
      this.positions = [];
    }
    frame.who = seatOf(frame);
    this.positions.push(fold(this.positions.at(-1) ?? { pawns: {}, marks: {} }, frame));
    this.frames.push(frame);
  }

  get last() {
    return this.frames.length - 1;
  }

  get seats() {
    return this.header.seats.length;
  }

  // The frame with this number, or the last one before it: views differ in the frames between two public steps.
  find(step, sub = 0) {
    let low = 0, high = this.last;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const frame = this.frames[middle];
      if (frame.step < step || (frame.step === step && (frame.sub ?? 0) <= sub)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  name(index) {
    const frame = this.frames[index];
    return frame.sub ? `${frame.step}.${frame.sub}` : String(frame.step);
  }

  // The indexes at which an age or a phase begins, each with its age and phase.
  stretches() {
    return this.chapters().filter((one) => one.kind === "phase");
  }

  // What people call the parts of a game: phases, the rounds of a development, the conflicts. Frames are only ever added.
  chapters() {
    if (this.told !== this.frames) Object.assign(this, { told: this.frames, found: [], read: 0 });
    for (; this.read < this.frames.length; this.read += 1) this.found.push(...this.begins(this.read));
    return this.found;
  }

  begins(index) {
    const { age, phase, order } = this.positions[index], before = this.positions[index - 1];
    const found = [];
    const add = (kind, more) => found.push({ index, age, phase, kind, ...more });
    if (before?.age !== age || before.phase !== phase) add("phase");
    for (const event of this.frames[index].events) {
      if (event.kind === "age_began") this.round = 0;
      if (event.kind === "pawn_placed" && event.seat === order[0]) add("round", { round: (this.round = (this.round ?? 0) + 1) });
      if (MARKS[event.kind]) add("conflict", { territory: event.territory });
    }
    return found;
  }

  chapterAt(index) {
    return this.chapters().findLast((one) => one.index <= index);
  }

  // The key moments and the highlights of a match that is over, at the steps of this view.
  get moments() {
    return this.story().moments;
  }

  get highlights() {
    return this.story().highlights;
  }

  story() {
    if (this.storyOf !== this.header) {
      const { moments = [], highlights = [] } = this.header?.story ?? {};
      this.storyOf = this.header;
      this.inView = { moments: moments.map((one) => ({ ...one, index: this.find(one.step) })), highlights: highlights.map(([step, ms]) => [this.find(step), ms]) };
    }
    return this.inView;
  }

  nextOf(seat, from, way = 1) {
    for (let at = from + way; at >= 0 && at <= this.last; at += way) if (this.frames[at].seat === seat) return at;
    return from;
  }
}
