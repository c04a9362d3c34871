// A bot that grows: it places pawns next to its own, and takes land where nobody else stands.
//
// It speaks JSON lines: a message a line on stdin, an answer a line on stdout; stderr is its log. Change `choose`.
// Build it yourself with `g++ -std=c++20 -O2 bot.cpp -o bot`; `aztlan play` and the arena do it for you.

#include "json.hpp"

#include <iostream>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int kBlessing = 16;  // and 17, 18
constexpr int kPlace = 64;
constexpr int kBattle = 192;
constexpr int kCoexist = 256;

std::mt19937 dice{std::random_device{}()};

int pick(const std::vector<int>& list) {
    return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(dice)];
}

struct Match {
    int seat = 0;
    int size = 0;
    std::vector<std::vector<int>> neighbours;
};

Match read_match(const Json& start) {
    Match match;
    match.seat = start["seat"].number();
    for (const Json& list : start["board"]["neighbours"].items()) match.neighbours.push_back(list.numbers());
    match.size = static_cast<int>(match.neighbours.size());
    return match;
}

// Empty territories next to our own; else any empty one; else any.
std::vector<int> wanted_territories(const Match& match, const Json& seen) {
    const std::vector<int> pawns = seen["pawns"].numbers();
    const int side = seen["side_of"].numbers()[match.seat];
    const int sides = seen["seats"].number();
    std::vector<int> near, empty, all;
    for (int t = 0; t < match.size; ++t) {
        all.push_back(t);
        bool taken = false;
        for (int s = 0; s < sides; ++s) taken = taken || pawns[s * match.size + t] > 0;
        if (taken) continue;
        empty.push_back(t);
        for (int other : match.neighbours[t]) {
            if (pawns[side * match.size + other] > 0) {
                near.push_back(t);
                break;
            }
        }
    }
    return !near.empty() ? near : !empty.empty() ? empty : all;
}

int choose(const Match& match, const Json& seen, const std::vector<int>& legal) {
    if (legal[0] >= kPlace && legal[0] < kPlace + match.size) return kPlace + pick(wanted_territories(match, seen));
    for (int action : legal) {
        if (action >= kBattle && action < kCoexist) return action;
        if (action >= kBlessing && action < kBlessing + 3) return action;
    }
    return legal[0];  // where passing is allowed it comes first
}

}  // namespace

int main() {
    std::cout << R"({"type":"hello","name":"my-bot"})" << std::endl;
    Match match;
    for (std::string line; std::getline(std::cin, line);) {
        const Json message = Json::parse(line);
        const std::string type = message["type"].text();
        if (type == "match_start") {
            match = read_match(message);
        } else if (type == "decision_request") {
            const int action = choose(match, message["observation"], message["legal_actions"].numbers());
            std::cout << R"({"type":"decision","request_id":)" << message["request_id"].number() << R"(,"action":)"
                      << action << "}" << std::endl;
        } else if (type == "strike") {
            std::cerr << "strike: " << message["reason"].text() << std::endl;
        } else if (type == "game_over") {
            return 0;
        }
    }
}
