/* Choosing, Development and Conflict, act by act as in engine/phases/. What is done here has been checked. */
#include "game.h"

static void begin_scoring(const Table *b, Game *g);

static inline int holds(const Game *g, int seat, int kind) { return g->hands[seat][kind] > 0; }

static inline void add_pawn(const Table *b, Game *g, int side, int t)
{
    if (!g->pawns[side][t]++) {
        g->present[side] |= 1ull << t;
        g->moves[side] += b->degree[t];
    }
}

static inline void lift_pawn(const Table *b, Game *g, int side, int t)
{
    if (!--g->pawns[side][t]) {
        g->present[side] ^= 1ull << t;
        g->moves[side] -= b->degree[t];
    }
}

static void remove_pawns(const Table *b, Game *g, int side, int t)
{
    g->removed[side] += g->pawns[side][t];
    g->pawns[side][t] = 0;
    g->present[side] &= ~(1ull << t);
    g->moves[side] -= b->degree[t];
}

static inline void play_card(Game *g, int seat, int kind)
{
    g->hands[seat][kind]--;
    g->discard[kind]++;
}

static void reshuffle(Game *g)
{
    char label[20] = "reshuffle-", digits[12];
    int total = 0, length = 10, n = 0;
    for (int kind = 0; kind < KINDS; kind++)
        total += g->discard[kind];
    if (!total || g->rules & NO_DRAW)
        return;
    g->reshuffles++;
    for (int32_t left = g->reshuffles; left && n < 9; left /= 10)
        digits[n++] = (char)('0' + left % 10);
    while (n)
        label[length++] = digits[--n];
    memset(g->deck, 0, DECK);
    g->deck_at = g->deck_size = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < g->discard[kind]; i++)
            g->deck[g->deck_size++] = (uint8_t)kind;
    Stream stream = open_stream(g->seed, label);
    shuffle(&stream, g->deck, g->deck_size);
    memset(g->discard, 0, KINDS);
}

static void draw_card(Game *g, int seat)
{
    if (g->deck_at == g->deck_size)
        reshuffle(g);
    if (g->deck_at < g->deck_size)
        g->hands[seat][g->deck[g->deck_at++]]++;
}

static void advance_counter(Game *g, int seat, int points)
{
    if (!points)
        return;
    g->score[seat] += points;
    g->arrival[seat] = g->arrivals++;
}

/* Conflict */

static inline uint64_t contested(const Game *g)
{
    uint64_t seen = 0, both = 0;
    for (int side = 0; side < g->seats; side++) {
        both |= seen & g->present[side];
        seen |= g->present[side];
    }
    return both;
}

static void find_strongest(Game *g)
{
    memset(g->alone, 0, sizeof g->alone);
    memset(g->tied, 0, sizeof g->tied);
    for (uint64_t left = contested(g); left; left &= left - 1) {
        int t = first_of(left), most = 0, first = -1, count = 0, power[MOST_SEATS];
        for (int seat = 0; seat < g->seats; seat++) {
            power[seat] = g->power[seat] * g->pawns[g->side_of[seat]][t];
            if (power[seat] > most) {
                most = power[seat];
                first = seat;
                count = 1;
            } else if (power[seat] == most) {
                count++;
            }
        }
        for (int seat = 0; seat < g->seats; seat++)
            if (count > 1 && power[seat] == most)
                g->tied[seat] |= 1ull << t;
        if (count == 1)
            g->alone[first] |= 1ull << t;
    }
}

static inline uint64_t to_settle(const Game *g, int seat) { return (g->alone[seat] | g->claims[seat]) & ~g->settled; }

static inline uint64_t to_claim(const Game *g, int seat)
{
    return holds(g, seat, GREAT_TLATOANI) ? g->tied[seat] & ~g->settled & ~g->claims[seat] : 0;
}

static void end_conflict(const Table *b, Game *g)
{
    for (uint64_t left = contested(g) & ~g->settled; left; left &= left - 1) {
        int t = first_of(left);
        for (int seat = 0; seat < g->seats; seat++) {
            int side = g->side_of[seat];
            if (g->present[side] >> t & 1 && !(g->tied[seat] >> t & 1))
                remove_pawns(b, g, side, t);
        }
        g->settled |= 1ull << t;
    }
    begin_scoring(b, g);
}

static void next_to_settle(const Table *b, Game *g)
{
    while (++g->turn < g->seats) {
        int seat = g->order[g->turn];
        if (to_settle(g, seat) || to_claim(g, seat)) {
            g->actor = (int8_t)seat;
            return;
        }
    }
    end_conflict(b, g);
}

static void go_on_settling(const Table *b, Game *g)
{
    if (!to_settle(g, g->actor) && !to_claim(g, g->actor))
        next_to_settle(b, g);
}

static void begin_conflict(const Table *b, Game *g)
{
    g->phase = CONFLICT;
    g->step = STEP_MAIN;
    g->settled = 0;
    memset(g->claims, 0, sizeof g->claims);
    find_strongest(g);
    g->turn = -1;
    next_to_settle(b, g);
}

static void fight(const Table *b, Game *g)
{
    int winner = g->order[g->turn], t = g->battle;
    for (int seat = 0; seat < g->seats; seat++) {
        int side = g->side_of[seat];
        if (seat != winner && g->present[side] >> t & 1 && !(g->spared >> seat & 1))
            remove_pawns(b, g, side, t);
    }
    if (g->spared)
        draw_card(g, winner);
    g->settled |= 1ull << t;
    g->battle = -1;
    g->spared = 0;
    g->step = STEP_MAIN;
    g->actor = (int8_t)winner;
    go_on_settling(b, g);
}

static void ask_games(const Table *b, Game *g, int start)
{
    int winner = g->order[g->turn];
    for (int i = start; i < g->seats; i++) {
        int seat = g->order[i];
        if (seat != winner && g->present[g->side_of[seat]] >> g->battle & 1 && holds(g, seat, SACRED_GAMES)) {
            g->step = STEP_GAMES;
            g->actor = (int8_t)seat;
            return;
        }
    }
    fight(b, g);
}

static void act_in_conflict(const Table *b, Game *g, int action)
{
    int kind = action & ~63, t = action & 63, seat = g->actor;
    if (g->step == STEP_GAMES) {
        int at = 0;
        if (action == PLAY_GAMES) {
            play_card(g, seat, SACRED_GAMES);
            g->spared |= (uint8_t)(1 << seat);
        }
        while (g->order[at] != seat)
            at++;
        ask_games(b, g, at + 1);
    } else if (action == PASS) {
        next_to_settle(b, g);
    } else if (kind == TLATOANI) {
        play_card(g, seat, GREAT_TLATOANI);
        g->claims[seat] |= 1ull << t;
    } else if (kind == COEXIST) {
        g->settled |= 1ull << t;
        draw_card(g, seat);
        go_on_settling(b, g);
    } else {
        g->battle = (int8_t)t;
        g->spared = 0;
        ask_games(b, g, 0);
    }
}

/* Development */

static void next_turn(const Table *b, Game *g)
{
    g->step = STEP_MAIN;
    for (int i = 0; i < g->seats; i++) {
        if (++g->turn == g->seats)
            g->turn = 0;
        if (g->pool[g->order[g->turn]]) {
            g->actor = (int8_t)g->order[g->turn];
            return;
        }
    }
    begin_conflict(b, g);
}

static inline void act_in_development(const Table *b, Game *g, int action)
{
    int seat = g->actor, side = g->side_of[seat];
    if (g->step == STEP_MAIN) {
        g->pool[seat]--;
        add_pawn(b, g, side, action - PLACE);
        g->placed[seat] |= 1ull << (action - PLACE);
        g->step = STEP_AFTER;
    } else if (action >= MOVE) {
        lift_pawn(b, g, side, (action - MOVE) >> 6);
        add_pawn(b, g, side, action & 63);
        next_turn(b, g);
    } else if (action == PASS) {
        next_turn(b, g);
    } else {
        if (g->reserve[side])
            g->reserve[side]--;
        else
            g->removed[side]--;
        play_card(g, seat, EAGLE_WARRIORS);
        add_pawn(b, g, side, action - EAGLE);
        g->placed[seat] |= 1ull << (action - EAGLE);
    }
}

/* Choosing */

static void take_pawns(Game *g)
{
    static const uint8_t pawns[3][LAST_AGE] = {{10, 9, 8, 7, 6}, {8, 7, 6, 5, 4}, {7, 6, 5, 4, 3}};
    int wanted = pawns[g->seats - 2][g->age - 1];
    for (int seat = 0; seat < g->seats; seat++) {
        int side = g->side_of[seat];
        int fresh = wanted < g->reserve[side] ? wanted : g->reserve[side];
        int again = wanted - fresh < g->removed[side] ? wanted - fresh : g->removed[side];
        g->reserve[side] -= (uint8_t)fresh;
        g->removed[side] -= (uint8_t)again;
        g->pool[seat] = (uint8_t)(fresh + again);
    }
}

static void act_in_choosing(const Table *b, Game *g, int action)
{
    g->power[g->actor] = (uint8_t)action;
    g->used[g->actor] |= (uint8_t)(1 << (action - 4));
    while (g->actor < g->seats && g->power[g->actor])
        g->actor++;
    if (g->actor == g->seats) {
        take_pawns(g);
        g->phase = DEVELOPMENT;
        g->turn = -1;
        next_turn(b, g);
    }
}
