/* Scoring, the end of an age and of the game, and the beginning, as in engine/phases/scoring.py and ending.py. */
#include "game.h"

static uint64_t over_water(const Table *b, const Game *g, int t)
{
    uint64_t reach = 0;
    for (int i = 0; i < g->raft_count; i++) {
        int from = g->rafts[i] >> 6, to = g->rafts[i] & 63;
        if (from == t)
            reach |= 1ull << to;
        else if (to == t)
            reach |= 1ull << from;
    }
    for (int i = 0; g->raft_all && i < b->lakes; i++)
        if (b->lake_masks[i] >> t & 1)
            reach |= b->lake_masks[i];
    return reach;
}

/* Write a seat's domains into `found`, and return how many there are. */
static int domains(const Table *b, const Game *g, int seat, uint64_t found[MOST_TERRITORIES])
{
    uint64_t present = g->present[g->side_of[seat]], left = present;
    int count = 0, rafts = g->raft_count || g->raft_all;
    while (left) {
        uint64_t domain = 0, edge = left & -left;
        while (edge) {
            int t = first_of(edge);
            domain |= 1ull << t;
            edge = (edge | b->adjacent[t] | (rafts ? over_water(b, g, t) : 0)) & present & ~domain;
        }
        found[count++] = domain;
        left &= ~domain;
    }
    return count;
}

/* Write the raft actions of a seat into `out` (unless it is NULL), and return how many there are. */
static int raft_actions(const Table *b, const Game *g, int seat, uint16_t *out)
{
    uint64_t found[MOST_TERRITORIES], present = g->present[g->side_of[seat]];
    if (!holds(g, seat, RAFTS))
        return 0;
    int count = domains(b, g, seat, found), rafts = 0;
    if (count < 2)
        return 0;
    if (g->rules & ALL_LAKES) {
        for (int i = 0; i < b->lakes; i++) {
            int touched = 0;
            for (int k = 0; k < count; k++)
                touched += (found[k] & b->lake_masks[i]) != 0;
            if (touched > 1) {
                if (out)
                    out[0] = RAFT_ALL;
                return 1;
            }
        }
        return 0;
    }
    for (int i = 0; i < b->pairs; i++) {
        uint64_t both = b->pair_masks[i];
        int joined = 0;
        if ((present & both) != both)
            continue;
        for (int k = 0; k < count && !joined; k++)
            joined = (found[k] & both) == both;
        if (joined)
            continue;
        if (out)
            out[rafts] = b->pair_actions[i];
        rafts++;
    }
    return rafts;
}

static inline int is_wild(const Table *b, const Game *g, int seat) { return b->card_types[g->power[seat] - 4] == WILD; }

static inline int has_blessing(const Game *g, int seat)
{
    return holds(g, seat, 0) || holds(g, seat, 1) || holds(g, seat, 2);
}

static int has_choice(const Table *b, const Game *g, int seat)
{
    return is_wild(b, g, seat) || has_blessing(g, seat) || raft_actions(b, g, seat, NULL);
}

static void score(const Table *b, Game *g, int seat, int type)
{
    uint64_t found[MOST_TERRITORIES];
    int points = g->pending, count = domains(b, g, seat, found);
    for (int k = 0; k < count; k++) {
        int matches = count_of(found[k] & b->type_masks[type]);
        points += matches ? count_of(found[k]) + matches * matches : 0;
    }
    for (int other = 0; points && g->rules & NEXT_FREE && other < g->seats; other++)
        if (other != seat && g->score[other] == g->score[seat] + points) {
            points++;
            other = -1;  /* the next space may be taken by a seat looked at before */
        }
    advance_counter(g, seat, points);
}

static void begin_age(Game *g)
{
    g->phase = CHOOSING;
    g->step = STEP_MAIN;
    memset(g->power, 0, sizeof g->power);
    g->settled = 0;
    memset(g->claims, 0, sizeof g->claims);
    memset(g->alone, 0, sizeof g->alone);
    memset(g->tied, 0, sizeof g->tied);
    memset(g->placed, 0, sizeof g->placed);
    for (int seat = 0; seat < g->seats; seat++) {
        int before = 0;
        for (int other = 0; other < g->seats; other++)
            before += g->score[other] > g->score[seat] ||
                      (g->score[other] == g->score[seat] && (g->arrival[other] > g->arrival[seat] ||
                       (g->arrival[other] == g->arrival[seat] && other > seat)));
        g->order[before] = (uint8_t)seat;
    }
    g->turn = 0;
    g->actor = 0;
}

static void finish(const Table *b, Game *g)
{
    for (int i = 0; i < g->seats; i++) {
        int seat = g->order[i], unused = 0, in_hand = 0, offerings = g->hands[seat][OFFERING];
        while (g->used[seat] >> unused & 1 && unused < POWER_CARDS - 1)
            unused++;
        for (int kind = 0; kind < KINDS; kind++)
            in_hand += g->hands[seat][kind];
        int full = offerings / 5, rest = offerings % 5;
        int worth = full && g->rules & ONE_SET ? 25 : 25 * full + rest * rest;
        advance_counter(g, seat, b->card_values[unused] + in_hand + worth);
    }
    g->phase = OVER;
    g->actor = -1;
}

static void next_to_score(const Table *b, Game *g)
{
    for (g->turn++;; g->turn++) {
        g->pending = 0;
        memset(g->rafts, 0, sizeof g->rafts);
        g->raft_count = g->raft_all = 0;
        if (g->turn == g->seats)
            break;
        g->actor = (int8_t)g->order[g->turn];
        if (has_choice(b, g, g->actor))
            return;
        score(b, g, g->actor, b->card_types[g->power[g->actor] - 4]);
    }
    if (g->age == LAST_AGE) {
        finish(b, g);
        return;
    }
    if (g->seats == 2) {
        g->side_of[0] ^= 1;
        g->side_of[1] ^= 1;
    }
    g->age++;
    begin_age(g);
}

static void begin_scoring(const Table *b, Game *g)
{
    g->phase = SCORING;
    g->step = STEP_MAIN;
    g->turn = -1;
    next_to_score(b, g);
}

static void act_in_scoring(const Table *b, Game *g, int action)
{
    int seat = g->actor;
    if (action < BLESSING) {
        score(b, g, seat, action == PASS ? b->card_types[g->power[seat] - 4] : action - NAME_TYPE);
        next_to_score(b, g);
        return;
    }
    if (action < RAFT_ALL) {
        int kind = action - BLESSING;
        play_card(g, seat, kind);
        g->pending += 2 * count_of(g->present[g->side_of[seat]] & b->type_masks[b->blessed[kind]]);
    } else {
        play_card(g, seat, RAFTS);
        if (action == RAFT_ALL)
            g->raft_all = 1;
        else
            g->rafts[g->raft_count++] = (uint16_t)(action - RAFT);
    }
    if (!has_choice(b, g, seat)) {
        score(b, g, seat, b->card_types[g->power[seat] - 4]);
        next_to_score(b, g);
    }
}

/* By seat, 1 for the best. */
static void placements(const Game *g, uint8_t places[MOST_SEATS])
{
    for (int seat = 0; seat < g->seats; seat++) {
        places[seat] = 1;
        for (int other = 0; other < g->seats; other++) {
            int before = g->rules & TOP_WINS ? g->arrival[other] > g->arrival[seat] : g->arrival[other] < g->arrival[seat];
            if (g->score[other] > g->score[seat] ||
                (g->score[other] == g->score[seat] && (before || (g->arrival[other] == g->arrival[seat] && other < seat))))
                places[seat]++;
        }
    }
}

/* A game before its first decision, as State.new deals it. */
static void deal(Game *g, int seats, const uint8_t seed[32], int rules)
{
    static const uint8_t in_deck[KINDS] = {3, 3, 3, 9, 3, 3, 3, 3};
    uint8_t stack[MOST_SEATS] = {0, 1, 2, 3}, kept[32];
    memcpy(kept, seed, 32);  /* it may be the game's own */
    memset(g, 0, sizeof *g);
    memcpy(g->seed, kept, 32);
    g->seats = (uint8_t)seats;
    g->rules = (uint8_t)rules;
    g->age = 1;
    g->battle = -1;
    g->arrivals = seats;
    Stream stream = open_stream(g->seed, "stack");
    shuffle(&stream, stack, seats);
    for (int i = 0; i < seats; i++) {
        g->side_of[i] = (uint8_t)i;
        g->reserve[i] = seats == 2 ? 60 : 30;
        g->arrival[stack[i]] = i;
    }
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < in_deck[kind]; i++)
            g->deck[g->deck_size++] = (uint8_t)kind;
    stream = open_stream(g->seed, "deck");
    shuffle(&stream, g->deck, g->deck_size);
    begin_age(g);
}
