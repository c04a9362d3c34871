// A bot that grows: it places pawns next to its own, and takes land where nobody else stands.
//
// Change `choose`. bot.proto, beside this file, is the contract: every field is explained there.

import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";
import { fileURLToPath } from "node:url";

const contract = loader.loadSync(fileURLToPath(new URL("bot.proto", import.meta.url)), {
  keepCase: true,
  longs: Number, // sets of territories: exact for boards of up to 52
  enums: String,
  defaults: true,
});
const { MatchService } = grpc.loadPackageDefinition(contract).aztlan.bot.v1;

const BLESSINGS = [16, 17, 18];
const PLACE = 64;
const BATTLE = 192;
const COEXIST = 256;

let match; // what is played: seat, seats, board, ruleset, clocks

function choose(observation, legal) {
  if (legal[0] >= PLACE && legal[0] < PLACE + match.board.territories.length) {
    return PLACE + pick(wantedTerritories(observation));
  }
  const battle = legal.find((action) => action >= BATTLE && action < COEXIST);
  const blessing = legal.find((action) => BLESSINGS.includes(action));
  return battle ?? blessing ?? legal[0]; // where passing is allowed it comes first
}

// Empty territories next to our own; else any empty one; else any.
function wantedTerritories({ pawns, side_of, seats }) {
  const size = match.board.territories.length;
  const all = [...Array(size).keys()];
  const empty = all.filter((t) => !sides(seats).some((side) => pawns[side * size + t]));
  const own = new Set(all.filter((t) => pawns[side_of[match.seat] * size + t]));
  const near = empty.filter((t) => match.neighbours[t].some((other) => own.has(other)));
  return [near, empty, all].find((some) => some.length);
}

function neighbours({ territories, borders }) {
  const lists = territories.map(() => []);
  for (let i = 0; i < borders.length; i += 2) {
    lists[borders[i]].push(borders[i + 1]);
    lists[borders[i + 1]].push(borders[i]);
  }
  return lists;
}

const sides = (seats) => [...Array(seats).keys()];
const pick = (list) => list[Math.floor(Math.random() * list.length)];

// The path of a unix socket; where a machine has none, 127.0.0.1:PORT.
const socket = process.env.AZTLAN_SOCKET;
const target = /^127\.0\.0\.1:\d+$/.test(socket) ? socket : `unix:${socket}`;
const client = new MatchService(target, grpc.credentials.createInsecure());
const stream = client.Play();

stream.on("data", (message) => {
  if (message.match_start) {
    match = { ...message.match_start, neighbours: neighbours(message.match_start.board) };
  } else if (message.decision_request) {
    const { request_id, observation, legal_actions } = message.decision_request;
    stream.write({ decision: { request_id, action: choose(observation, legal_actions) } });
  } else if (message.ping) {
    stream.write({ pong: message.ping });
  } else if (message.strike) {
    console.error(`strike ${message.strike.strikes}: ${message.strike.reason}`);
  } else if (message.game_over) {
    stream.end();
  }
});
stream.on("error", (error) => {
  console.error(`the match host ended the stream: ${error.details}`);
  process.exit(1);
});
stream.on("end", () => client.close());

stream.write({ hello: { protocol_version: 1, bot_name: "my-bot" } });
