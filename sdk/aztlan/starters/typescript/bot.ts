// A bot that grows: it places pawns next to its own, and takes land where nobody else stands.
//
// It speaks JSON lines: one message per line on stdin, one answer per line on stdout; stderr is its log.
// Change `choose`. The arena strips the types and runs the rest on Node; other .ts files beside this one can be imported.

import { createInterface } from "node:readline";

const BLESSINGS = [16, 17, 18];
const PLACE = 64;
const BATTLE = 192;
const COEXIST = 256;

/** What your seat may know; docs/observation.md explains every field. Add those that you need. */
interface Observation {
  seats: number;
  side_of: number[];
  pawns: number[];
}

interface MatchStart {
  type: "match_start";
  seat: number;
  board: { neighbours: number[][] };
}

interface DecisionRequest {
  type: "decision_request";
  request_id: number;
  observation: Observation;
  legal_actions: number[];
}

type Message = MatchStart | DecisionRequest | { type: "strike"; reason: string } | { type: "game_over" };

let match: MatchStart;

function choose(seen: Observation, legal: number[]): number {
  if (legal[0] >= PLACE && legal[0] < PLACE + match.board.neighbours.length) {
    return PLACE + pick(wantedTerritories(seen));
  }
  const battle = legal.find((action) => action >= BATTLE && action < COEXIST);
  const blessing = legal.find((action) => BLESSINGS.includes(action));
  return battle ?? blessing ?? legal[0]; // where passing is allowed it comes first
}

/** Empty territories next to our own; else any empty ones; else all. */
function wantedTerritories({ pawns, side_of, seats }: Observation): number[] {
  const { neighbours } = match.board;
  const size = neighbours.length;
  const all = [...Array(size).keys()];
  const sides = [...Array(seats).keys()];
  const empty = all.filter((t) => !sides.some((side) => pawns[side * size + t] > 0));
  const own = new Set(all.filter((t) => pawns[side_of[match.seat] * size + t] > 0));
  const near = empty.filter((t) => neighbours[t].some((other) => own.has(other)));
  return [near, empty, all].find((some) => some.length > 0) ?? all;
}

function pick(list: number[]): number {
  return list[Math.floor(Math.random() * list.length)];
}

function say(message: object): void {
  process.stdout.write(JSON.stringify(message) + "\n");
}

const input = createInterface({ input: process.stdin });
input.on("line", (line: string) => {
  const message = JSON.parse(line) as Message;
  if (message.type === "match_start") {
    match = message;
  } else if (message.type === "decision_request") {
    const action = choose(message.observation, message.legal_actions);
    say({ type: "decision", request_id: message.request_id, action });
  } else if (message.type === "strike") {
    console.error(`strike: ${message.reason}`);
  } else if (message.type === "game_over") {
    input.close();
  }
});
say({ type: "hello", name: "my-bot" });
