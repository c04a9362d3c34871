// Why a first game ended as it did, counted from its events, and what to do next.
import { h } from "../replays/dom.js";

// Points by seat and source, and what else decided it.
function count(game) {
  const seats = Array.from({ length: game.seats }, () => ({ domains: 0, cards: 0, unused: 0, fights: 0, score: 0 }));
  let largest = null, age = 1;
  for (const { events } of game.frames) {
    for (const event of events) {
      const seat = seats[event.seat];
      if (event.kind === "age_began") ({ age } = event);
      else if (event.kind === "domain_scored") {
        seat.domains += event.points;
        if (event.points > (largest?.points ?? 0)) largest = { ...event, age };
      } else if (event.kind === "blessing_played") seat.cards += event.points;
      else if (event.kind === "battle_won") seat.fights += 1;
      else if (event.kind === "end_scored") Object.assign(seat, { unused: event.card_points, cards: seat.cards + event.hand_points + event.offering_points, score: event.score });
    }
  }
  return { seats, largest };
}

function reasons(game, words, placements) {
  const { seats, largest } = count(game);
  const first = placements.indexOf(1), second = placements.indexOf(2);
  const [winner, loser] = [seats[first], seats[second]];
  const names = { seat: words.seat(game, first), other: words.seat(game, second) };
  const lead = winner.score - loser.score;
  const main = ["domains", "cards", "unused"].sort((a, b) => winner[b] - loser[b] - (winner[a] - loser[a]))[0];
  const lines = [words.say(lead ? "why_won" : "why_tie", { ...names, lead, points: winner.score, others: loser.score })];
  if (winner[main] > loser[main]) lines.push(words.say(`why_${main}`, { ...names, mine: winner[main], theirs: loser[main] }));
  if (largest) lines.push(words.say("why_largest", { ...largest, seat: words.seat(game, largest.seat) }));
  lines.push(words.say("why_fights", { ...names, mine: winner.fights, theirs: loser.fights }));
  return lines;
}

export function summary(game, words, places) {
  const over = game.frames.flatMap((frame) => frame.events).find((event) => event.kind === "game_over");
  if (!over) return null;
  return h("div", { class: "summary" }, h("h3", {}, words.say("why_title")), h("ul", {}, ...reasons(game, words, over.placements).map((line) => h("li", {}, line))),
    h("h3", {}, words.say("next_title")), h("p", { class: "actions" }, h("a", { class: "button", href: places.stronger }, words.say("next_stronger")),
      h("a", { class: "button quiet", href: places["how-to-play"] }, words.say("next_rules")), h("a", { class: "button quiet", href: places["enter-a-bot"] }, words.say("next_write"))));
}
