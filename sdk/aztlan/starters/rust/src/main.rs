//! A bot that grows: it places pawns next to its own, and takes land where nobody else stands.
//!
//! It speaks JSON lines: one message per line on stdin, one answer per line on stdout; stderr is its log. Change
//! `choose`. json.rs, beside this file, reads messages with nothing but the standard library.

mod json;

use json::Json;
use std::io::{self, BufRead, Write};

const BLESSING: usize = 16; // and 17, 18
const PLACE: usize = 64;
const BATTLE: usize = 192;
const COEXIST: usize = 256;

struct Bot {
    seat: usize,
    neighbours: Vec<Vec<usize>>,
    dice: u64,
}

impl Bot {
    fn new(start: &Json) -> Bot {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Bot {
            seat: start.get("seat").number(),
            neighbours: start.get("board").get("neighbours").items().iter().map(Json::numbers).collect(),
            dice: now.map_or(1, |time| time.as_nanos() as u64) | 1,
        }
    }

    fn choose(&mut self, seen: &Json, legal: &[usize]) -> usize {
        if (PLACE..PLACE + self.neighbours.len()).contains(&legal[0]) {
            let wanted = self.wanted(seen);
            return PLACE + self.pick(&wanted);
        }
        let is_good = |action: &&usize| {
            (BATTLE..COEXIST).contains(*action) || (BLESSING..BLESSING + 3).contains(*action)
        };
        // Where passing is allowed it comes first.
        *legal.iter().find(is_good).unwrap_or(&legal[0])
    }

    /// Empty territories next to our own; else any empty ones; else all.
    fn wanted(&self, seen: &Json) -> Vec<usize> {
        let size = self.neighbours.len();
        let pawns = seen.get("pawns").numbers();
        let side = seen.get("side_of").numbers()[self.seat];
        let sides = seen.get("seats").number();
        let is_empty = |t: &usize| (0..sides).all(|s| pawns[s * size + t] == 0);
        let empty: Vec<usize> = (0..size).filter(is_empty).collect();
        let is_near = |t: &&usize| self.neighbours[**t].iter().any(|other| pawns[side * size + other] > 0);
        let near: Vec<usize> = empty.iter().filter(is_near).copied().collect();
        if !near.is_empty() {
            near
        } else if !empty.is_empty() {
            empty
        } else {
            (0..size).collect()
        }
    }

    /// Any of a list: the standard library has no dice, and xorshift is enough here.
    fn pick(&mut self, list: &[usize]) -> usize {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        list[(self.dice % list.len() as u64) as usize]
    }
}

fn say(line: &str) {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}").and_then(|()| output.flush()).expect("the host listens");
}

fn main() {
    say(r#"{"type":"hello","name":"my-bot"}"#);
    let mut bot = None;
    for line in io::stdin().lock().lines() {
        let message = Json::parse(&line.expect("a line of UTF-8"));
        match message.get("type").text() {
            "match_start" => bot = Some(Bot::new(&message)),
            "decision_request" => {
                let legal = message.get("legal_actions").numbers();
                let action = bot.as_mut().expect("a start first").choose(message.get("observation"), &legal);
                let id = message.get("request_id").number();
                say(&format!(r#"{{"type":"decision","request_id":{id},"action":{action}}}"#));
            }
            "strike" => eprintln!("strike: {}", message.get("reason").text()),
            "game_over" => return,
            _ => {}
        }
    }
}
