/* The data of a game in flat memory: the fields of engine/position.py, one for one, and a board as tables. */
#ifndef AZTLAN_GAME_H
#define AZTLAN_GAME_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SEATS = 4, MOST_TERRITORIES = 60, KINDS = 8, DECK = 30, MOST_RAFTS = 32, TYPES = 5 };
enum { CHOOSING, DEVELOPMENT, CONFLICT, SCORING, OVER };
enum { STEP_MAIN = 0, STEP_AFTER = 1, STEP_GAMES = 1, LAST_AGE = 5, POWER_CARDS = 6, WILD = -1 };
enum { OFFERING = 3, SACRED_GAMES = 4, RAFTS = 5, GREAT_TLATOANI = 6, EAGLE_WARRIORS = 7 };

/* engine/actions.py */
enum {
    PASS = 0, NAME_TYPE = 10, PLAY_GAMES = 15, BLESSING = 16, RAFT_ALL = 19, PLACE = 64, EAGLE = 128,
    BATTLE = 192, COEXIST = 256, TLATOANI = 320, MOVE = 1024, RAFT = 5120, END = 9216
};
enum { MOST_LEGAL = 1 + MOST_TERRITORIES * MOST_TERRITORIES + MOST_TERRITORIES };

/* engine/rulesets: a bit for each option that is not the English one. */
enum { TOP_WINS = 1, NEXT_FREE = 2, ALL_LAKES = 4, EAGLE_PLACED = 8, ONE_SET = 16, NO_DRAW = 32 };

typedef struct {
    int size, lakes, pairs, actions;
    uint64_t everywhere, adjacent[MOST_TERRITORIES], type_masks[TYPES], *lake_masks, *pair_masks;
    uint8_t degree[MOST_TERRITORIES], neighbours[MOST_TERRITORIES][MOST_TERRITORIES];
    uint16_t *pair_actions;  /* RAFT + 64 a + b of each pair of shores */
    int moves_at[MOST_TERRITORIES], rafts_at;  /* dense indexes of a territory's first move, of the first pair */
    int card_types[POWER_CARDS], card_values[POWER_CARDS], blessed[3];
    int16_t index_of[END];
    uint16_t *action_of;
} Table;

typedef struct {
    uint64_t present[MOST_SEATS], placed[MOST_SEATS], alone[MOST_SEATS], tied[MOST_SEATS], claims[MOST_SEATS];
    uint64_t settled;
    int32_t score[MOST_SEATS], arrival[MOST_SEATS], arrivals, pending, reshuffles;
    int32_t moves[MOST_SEATS];  /* by side: how many moves its presence offers; follows from `present` */
    uint16_t rafts[MOST_RAFTS];
    uint8_t pawns[MOST_SEATS][MOST_TERRITORIES];
    uint8_t pool[MOST_SEATS], reserve[MOST_SEATS], removed[MOST_SEATS], power[MOST_SEATS], used[MOST_SEATS];
    uint8_t order[MOST_SEATS], side_of[MOST_SEATS], hands[MOST_SEATS][KINDS], discard[KINDS], deck[DECK];
    uint8_t deck_size, deck_at, raft_count, raft_all, spared, seats, rules, age, phase, step;
    int8_t actor, turn, battle;
    uint8_t seed[32];
} Game;

static inline int first_of(uint64_t mask) { return __builtin_ctzll(mask); }
static inline int count_of(uint64_t mask) { return __builtin_popcountll(mask); }

#endif
