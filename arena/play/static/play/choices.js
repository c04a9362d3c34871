// What the legal actions mean: each is a kind and the territories it names, in the order in which they are chosen.
// Actions are numbers (docs/actions.md); which of them are legal, only the server says.
const AT = [[64, "place"], [128, "eagle"], [192, "battle"], [256, "coexist"], [320, "tlatoani"]];

export function readAction(action) {
  if (action === 0) return { action, kind: "pass", path: [] };
  if (action < 10) return { action, kind: "power", path: [], card: action };
  if (action < 15) return { action, kind: "type", path: [], type: action - 10 };
  if (action === 15) return { action, kind: "games", path: [] };
  if (action < 19) return { action, kind: "blessing", path: [], card: action - 16 };
  if (action === 19) return { action, kind: "raft_all", path: [] };
  if (action >= 5120) return { action, kind: "raft", path: [(action - 5120) >> 6, (action - 5120) & 63] };
  if (action >= 1024) return { action, kind: "move", path: [(action - 1024) >> 6, (action - 1024) & 63] };
  const [base, kind] = AT.findLast(([from]) => action >= from);
  return { action, kind, path: [action - base] };
}

// The choices of one decision, and what has been picked of them so far.
export class Choices {
  constructor(legal) {
    this.all = legal.map(readAction);
    // A raft may be begun at either end.
    this.paths = this.all.flatMap((one) => (one.kind === "raft" ? [one, { ...one, path: [...one.path].reverse() }] : [one]));
    this.reset();
  }

  has(kind) {
    return this.all.some((one) => one.kind === kind);
  }

  // On the board are the kinds of the first half, of the conflict and of moving; Eagle and rafts wait for their button.
  reset() {
    this.picked = [];
    this.kind = ["place", "move", "battle", "coexist", "tlatoani"].some((kind) => this.has(kind)) ? "board" : null;
  }

  choose(kind) {
    this.picked = [];
    this.kind = kind;
  }

  get open() {
    const wanted = this.kind === "board" ? ["place", "move", "battle", "coexist", "tlatoani"] : [this.kind];
    return this.paths.filter((one) => wanted.includes(one.kind) && this.picked.every((t, at) => one.path[at] === t));
  }

  // The territories that can be picked next.
  get targets() {
    return [...new Set(this.open.filter((one) => one.path.length > this.picked.length).map((one) => one.path[this.picked.length]))];
  }

  // The actions that are complete with what is picked.
  get complete() {
    return this.open.filter((one) => one.path.length && one.path.length === this.picked.length);
  }
}
