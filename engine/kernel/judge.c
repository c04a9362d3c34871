/* What evaluations are made of: the numbers of engine/kernel/judge.py for each seat, and its quick way to end an age. */
#include "game.h"

enum { FEATURES = 17 };

static int best_points(const int points[TYPES])
{
    int best = 0;
    for (int type = 0; type < TYPES; type++)
        best = points[type] > best ? points[type] : best;
    return best;
}

/* What the domains of these territories score for each type; return the size of the largest. */
static int points_by_type(const Table *b, const Game *g, uint64_t present, int rafts, int points[TYPES])
{
    int largest = 0;
    memset(points, 0, sizeof *points * TYPES);
    for (uint64_t left = present; left;) {
        uint64_t domain = 0, edge = left & -left;
        while (edge) {
            int t = first_of(edge);
            domain |= 1ull << t;
            edge = (edge | b->adjacent[t] | (rafts ? over_water(b, g, t) : 0)) & present & ~domain;
        }
        left &= ~domain;
        int size = count_of(domain);
        largest = size > largest ? size : largest;
        for (int type = 0; type < TYPES; type++) {
            int matches = count_of(domain & b->type_masks[type]);
            points[type] += matches ? size + matches * matches : 0;
        }
    }
    return largest;
}

/* Where each side will be present when every open conflict has gone to the strongest there. */
static void after_fights(const Game *g, uint64_t held[MOST_SEATS])
{
    memcpy(held, g->present, sizeof g->present);
    if (g->phase != DEVELOPMENT && g->phase != CONFLICT)
        return;
    for (uint64_t left = contested(g) & ~g->settled; left; left &= left - 1) {
        int t = first_of(left), most = 0;
        for (int seat = 0; seat < g->seats; seat++) {
            int power = g->power[seat] * g->pawns[g->side_of[seat]][t];
            most = power > most ? power : most;
        }
        for (int seat = 0; seat < g->seats; seat++)
            if (g->power[seat] * g->pawns[g->side_of[seat]][t] < most)
                held[g->side_of[seat]] &= ~(1ull << t);
    }
}

static int is_scored(const Game *g, int seat)
{
    int at = 0;
    if (g->phase != SCORING)
        return g->phase == OVER;
    while (g->order[at] != seat)
        at++;
    return at < g->turn;
}

static void judge_seat(const Table *b, const Game *g, int seat, uint64_t held, int32_t out[FEATURES])
{
    int points[TYPES + 1], rafts = seat == g->actor && (g->raft_count || g->raft_all);
    const uint8_t *hand = g->hands[seat];
    uint64_t present = g->present[g->side_of[seat]];
    memset(out, 0, sizeof *out * FEATURES);
    out[13] = points_by_type(b, g, held, rafts, points);
    int best = best_points(points);
    out[0] = g->score[seat];
    if (g->power[seat] && !is_scored(g, seat)) {
        int type = b->card_types[g->power[seat] - 4];
        out[1] = (type == WILD ? best : points[type]) + (seat == g->actor ? g->pending : 0);
    }
    for (int i = 0; i < POWER_CARDS; i++) {
        if (g->used[seat] >> i & 1)
            continue;
        int worth = b->card_types[i] == WILD ? best : points[b->card_types[i]];
        out[2] += worth;
        out[3] = worth > out[3] ? worth : out[3];
        out[11] = b->card_values[i] > out[11] ? b->card_values[i] : out[11];
    }
    out[4] = count_of(held);
    out[5] = count_of(present & ~held);
    for (int kind = 0; kind < KINDS; kind++)
        out[6] += hand[kind];
    int full = hand[OFFERING] / 5, rest = hand[OFFERING] % 5;
    out[7] = full && g->rules & ONE_SET ? 25 : 25 * full + rest * rest;
    for (int kind = 0; kind < 3; kind++)
        out[8] += 2 * hand[kind] * count_of(held & b->type_masks[b->blessed[kind]]);
    out[9] = hand[SACRED_GAMES] + hand[GREAT_TLATOANI] + hand[EAGLE_WARRIORS];
    out[10] = g->pool[seat];
    out[12] = hand[RAFTS];
    out[14] = g->age;
    out[15] = g->phase;
    out[16] = seat == g->actor;
}

static void judge(const Table *b, const Game *g, int32_t *out)
{
    uint64_t held[MOST_SEATS];
    after_fights(g, held);
    for (int seat = 0; seat < g->seats; seat++)
        judge_seat(b, g, seat, held[g->side_of[seat]], out + seat * FEATURES);
}

/* The next action of `end_age`. */
static int quick_action(const Table *b, const Game *g, uint32_t luck)
{
    uint16_t legal[MOST_LEGAL];
    if (g->phase == DEVELOPMENT && g->step != STEP_MAIN)
        return PASS;
    if (g->phase == DEVELOPMENT) {
        uint64_t present = g->present[g->side_of[g->actor]], reach = present ? present : b->everywhere;
        for (uint64_t left = present; left; left &= left - 1)
            reach |= b->adjacent[first_of(left)];
        for (int skip = (int)(luck % (uint32_t)count_of(reach)); skip; skip--)
            reach &= reach - 1;
        return PLACE + first_of(reach);
    }
    int count = legal_actions(b, g, legal);
    if (!count)
        return -1;
    if (g->phase == CHOOSING)
        return legal[luck % (uint32_t)count];
    if (g->phase == CONFLICT)
        return legal[0] == PASS ? legal[1] : legal[0];
    if (legal[count - 1] >= BLESSING)
        return legal[count - 1];
    if (legal[0] == PASS)
        return PASS;
    int points[TYPES], best = 0;
    points_by_type(b, g, g->present[g->side_of[g->actor]], g->raft_count || g->raft_all, points);
    for (int type = 1; type < TYPES; type++)
        best = points[type] > points[best] ? type : best;
    return NAME_TYPE + best;
}

static void end_age(const Table *b, Game *g, uint64_t seed)
{
    int age = g->age;
    for (uint32_t luck = first_luck(seed); g->age == age && g->phase != OVER;) {
        luck = next_luck(luck);
        int action = quick_action(b, g, luck);
        if (action < 0)
            return;
        perform(b, g, action);
    }
}
