/* What a seat sees, as numbers: the encoding of aztlan.rl, the mask of legal actions, and the fingerprint. */
#include "game.h"

static int observation_size(const Table *b, int seats)
{
    return 12 + 10 * seats + 2 * KINDS + seats * b->size + POWER_CARDS * seats + (1 + 2 * seats) * b->size + seats +
           b->pairs;
}

/* The bits of each byte as eight numbers, since taking them one by one is most of an observation's cost. */
static int16_t SPREAD[256][8];

static void fill_spread(void)
{
    for (int byte = 0; byte < 256; byte++)
        for (int i = 0; i < 8; i++)
            SPREAD[byte][i] = (int16_t)(byte >> i & 1);
}

static inline int16_t *put_bits(int16_t *out, uint64_t mask, int length)
{
    int i = 0;
    if (!mask) {  /* most sets are empty most of the time */
        memset(out, 0, sizeof *out * (size_t)length);
        return out + length;
    }
    for (; i + 8 <= length; i += 8)
        memcpy(out + i, SPREAD[mask >> i & 255], sizeof SPREAD[0]);
    for (; i < length; i++)
        out[i] = (int16_t)(mask >> i & 1);
    return out + length;
}

static inline int16_t *put_bytes(int16_t *out, const uint8_t *values, int length)
{
    for (int i = 0; i < length; i++)
        out[i] = values[i];
    return out + length;
}

static int actor_is_public(const Game *g)
{
    return g->phase != CONFLICT || (g->step != STEP_GAMES && to_settle(g, g->actor));
}

static int16_t *put_numbers(const Game *g, int seat, int16_t *out)
{
    int numbers[12] = {
        seat, g->seats, g->age, g->phase, seat == g->actor || g->phase != CONFLICT ? g->step : 0,
        seat == g->actor || actor_is_public(g) ? g->actor : -1, seat >= 0 ? g->power[seat] : 0,
        g->deck_size - g->deck_at, g->battle,
        g->phase == CONFLICT && g->battle >= 0 ? g->order[g->turn] : -1, g->pending, g->raft_all,
    };
    for (int i = 0; i < 12; i++)
        *out++ = (int16_t)numbers[i];
    return out;
}

/* hand, hand_sizes, discard */
static inline int16_t *put_cards(const Game *g, const uint8_t *hand, int16_t *out, int n)
{
    out = put_bytes(out, hand, KINDS);
    for (int i = 0; i < n; i++) {
        int held = 0;
        for (int kind = 0; kind < KINDS; kind++)
            held += g->hands[i][kind];
        *out++ = (int16_t)held;
    }
    return put_bytes(out, g->discard, KINDS);
}

static void put_rafts(const Table *b, const Game *g, int16_t *out)
{
    memset(out, 0, sizeof *out * (size_t)b->pairs);
    for (int i = 0; i < g->raft_count; i++) {
        int at = b->index_of[RAFT + g->rafts[i]];
        if (at >= 0)
            out[at - b->rafts_at] = 1;
    }
}

/* The body of `encode`, inlined with constant sizes where they are the usual ones: then loops become a few stores. */
static inline __attribute__((always_inline)) void encode_sized(const Table *b, const Game *g, int seat, int16_t *out,
                                                               const int n, const int size)
{
    static const uint8_t none[KINDS];
    int shown = g->phase > DEVELOPMENT;
    out = put_numbers(g, seat, out);
    out = put_bytes(out, g->order, n);
    out = put_bytes(out, g->side_of, n);
    for (int side = 0; side < n; side++)
        out = put_bytes(out, g->pawns[side], size);
    out = put_bytes(out, g->reserve, n);
    out = put_bytes(out, g->removed, n);
    out = put_bytes(out, g->pool, n);
    for (int i = 0; i < n; i++)
        *out++ = (int16_t)g->score[i];
    for (int i = 0; i < n; i++)
        *out++ = (int16_t)g->arrival[i];
    for (int i = 0; i < n; i++)
        *out++ = shown ? g->power[i] : 0;
    for (int i = 0; i < n; i++)
        *out++ = g->power[i] > 0;
    out = put_cards(g, seat >= 0 ? g->hands[seat] : none, out, n);
    for (int i = 0; i < n; i++) {
        int hidden = !shown && i != seat && g->power[i] ? 1 << (g->power[i] - 4) : 0;
        out = put_bits(out, (uint64_t)(g->used[i] & ~hidden), POWER_CARDS);
    }
    if (g->settled) {
        out = put_bits(out, g->settled, size);
        for (int i = 0; i < n; i++)
            out = put_bits(out, g->claims[i], size);
    } else {  /* as in all of Choosing and Development */
        uint64_t claims = 0;
        for (int i = 0; i < n; i++)
            claims |= g->claims[i];
        if (claims)
            for (int i = 0; i < n; i++)
                put_bits(out + (1 + i) * size, g->claims[i], size);
        memset(out, 0, sizeof *out * (size_t)(claims ? size : (1 + n) * size));
        out += (1 + n) * size;
    }
    for (int i = 0; i < n; i++)
        out = put_bits(out, g->placed[i], size);
    out = put_bits(out, g->spared, n);
    put_rafts(b, g, out);
}

/* Write observe(state, seat) as engine.encoding.encode does; seat -1 is a spectator. */
static void encode(const Table *b, const Game *g, int seat, int16_t *out)
{
    enum { USUAL = 30 };
    if (b->size != USUAL)
        encode_sized(b, g, seat, out, g->seats, b->size);
    else if (g->seats == 4)
        encode_sized(b, g, seat, out, 4, USUAL);
    else if (g->seats == 3)
        encode_sized(b, g, seat, out, 3, USUAL);
    else
        encode_sized(b, g, seat, out, 2, USUAL);
}

/* Where the parts of a row begin that actions within a phase change. */
typedef struct {
    int16_t *pawns, *removed, *pool, *scores, *chosen, *hand, *used, *settled, *claims, *placed, *spared;
} Parts;

static inline Parts parts_of(int16_t *row, int n, int size)
{
    Parts at = {.pawns = row + 12 + 2 * n};
    at.removed = at.pawns + n * size + n;
    at.pool = at.removed + n;
    at.scores = at.pool + n;
    at.chosen = at.scores + 3 * n;
    at.hand = at.chosen + n;
    at.used = at.hand + 2 * KINDS + n;
    at.settled = at.used + POWER_CARDS * n;
    at.claims = at.settled + size;
    at.placed = at.claims + n * size;
    at.spared = at.placed + n * size;
    return at;
}

static inline void change_development(const Game *g, int was, int action, int16_t *row, const Parts *at, int size)
{
    int now = g->actor, side = g->side_of[was];
    row[4] = g->step;
    if (action < EAGLE && action >= PLACE) {
        int t = action - PLACE;
        at->pawns[side * size + t] = g->pawns[side][t];
        at->placed[was * size + t] = 1;
        at->pool[was] = g->pool[was];
    } else if (action >= MOVE) {
        int from = (action - MOVE) >> 6, to = action & 63;
        at->pawns[side * size + from] = g->pawns[side][from];
        at->pawns[side * size + to] = g->pawns[side][to];
    }
    if (now != was) {
        put_bytes(at->hand, g->hands[now], KINDS);
        at->used[was * POWER_CARDS + g->power[was] - 4] = 0;  /* each sees its own card of this age only */
        at->used[now * POWER_CARDS + g->power[now] - 4] = 1;
    }
}

/* A conflict changes the pawns of one territory: that of the battle before the action, or else of the action itself. */
static inline void change_conflict(const Game *g, int was, int battle, int action, const Parts *at, int size)
{
    int t = battle >= 0 ? battle : action & 63;
    for (int side = 0; side < g->seats; side++)
        at->pawns[side * size + t] = g->pawns[side][t];
    put_bytes(at->removed, g->removed, g->seats);
    put_bits(at->settled, g->settled, size);
    for (int i = 0; i < g->seats; i++)
        at->spared[i] = g->spared >> i & 1;
    if ((action & ~63) == TLATOANI)
        put_bits(at->claims + was * size, g->claims[was], size);
}

/* Bring up to date what `encode` wrote before an action that began and ended in one phase of one age, an Eagle
 * excepted: a row has hundreds of numbers, of which such an action changes a handful. `was` acted then, and saw the
 * row; `battle` was the open battle's territory. */
static void encode_changes(const Table *b, const Game *g, int was, int battle, int action, int16_t *row)
{
    int n = g->seats, size = b->size, now = g->actor;
    Parts at = parts_of(row, n, size);
    if (g->phase <= DEVELOPMENT) {
        row[0] = row[5] = (int16_t)now;  /* of put_numbers: seat, actor, own power */
        row[6] = g->power[now];
        if (g->phase == DEVELOPMENT) {
            change_development(g, was, action, row, &at, size);
        } else {
            at.chosen[was] = 1;
            put_bytes(at.hand, g->hands[now], KINDS);
        }
        return;
    }
    put_numbers(g, now, row);
    put_cards(g, g->hands[now], at.hand, n);
    if (g->phase == CONFLICT) {
        change_conflict(g, was, battle, action, &at, size);
        return;
    }
    for (int i = 0; i < n; i++) {
        at.scores[i] = (int16_t)g->score[i];
        at.scores[n + i] = (int16_t)g->arrival[i];
    }
    put_rafts(b, g, at.spared + n);
}

/* 1 for each move of the pawns that are present. The moves of a territory stand together, in rising order, so eight
 * bytes are written at once, and what they write too many is overwritten by the next or 0 anyway. */
static void put_moves(const Table *b, uint64_t present, uint8_t *out)
{
    for (uint64_t left = present; left; left &= left - 1) {
        int from = first_of(left), at = b->moves_at[from], degree = b->degree[from];
        if (degree < 8 && at + 8 <= b->actions) {
            uint64_t ones = 0x0101010101010101ull & ((1ull << 8 * degree) - 1);
            memcpy(out + at, &ones, 8);
        } else {
            memset(out + at, 1, (size_t)degree);
        }
    }
}

static inline void put_territories(uint8_t *out, uint64_t territories)
{
    for (uint64_t left = territories; left; left &= left - 1)
        out[first_of(left)] = 1;
}

/* 1 for each legal action by its dense index, 0 for all others. */
static void put_mask(const Table *b, const Game *g, uint8_t *out)
{
    uint16_t legal[MOST_LEGAL];
    memset(out, 0, (size_t)b->actions);
    if (g->phase == DEVELOPMENT && g->step == STEP_MAIN) {
        memset(out + b->index_of[PLACE], 1, (size_t)b->size);
        return;
    }
    if (g->phase == DEVELOPMENT) {
        out[0] = 1;
        put_moves(b, g->present[g->side_of[g->actor]], out);
        if (can_play_eagle(g))
            put_territories(out + b->index_of[EAGLE], eagle_territories(b, g));
        return;
    }
    if (g->phase == CONFLICT && g->step == STEP_MAIN) {
        uint64_t must = to_settle(g, g->actor), may = to_claim(g, g->actor);
        out[0] = may && !must;
        put_territories(out + b->index_of[BATTLE], must);
        put_territories(out + b->index_of[COEXIST], must);
        put_territories(out + b->index_of[TLATOANI], may);
        return;
    }
    for (int i = legal_actions(b, g, legal) - 1; i >= 0; i--)
        out[b->index_of[legal[i]]] = 1;
}

/* engine.record.fingerprint */

enum { LONGEST_FINGERPRINT = 8192 };

typedef struct {
    char text[LONGEST_FINGERPRINT];
    int length;
} Text;

static void open_list(Text *text)
{
    if (text->length)
        text->text[text->length++] = ';';
    text->text[text->length++] = '[';
}

static void add_number(Text *text, long long number)
{
    char digits[24];
    int count = 0;
    if (text->text[text->length - 1] != '[') {
        text->text[text->length++] = ',';
        text->text[text->length++] = ' ';
    }
    if (number < 0)
        text->text[text->length++] = '-';
    for (unsigned long long left = number < 0 ? -(unsigned long long)number : (unsigned long long)number;;) {
        digits[count++] = (char)('0' + left % 10);
        if (!(left /= 10))
            break;
    }
    while (count)
        text->text[text->length++] = digits[--count];
}

static void close_list(Text *text) { text->text[text->length++] = ']'; }

#define ADD_LIST(text, values, count)              \
    do {                                           \
        open_list(text);                           \
        for (int i_ = 0; i_ < (count); i_++)       \
            add_number(text, (long long)(values)[i_]); \
        close_list(text);                          \
    } while (0)

static void fingerprint(const Table *b, const Game *g, Text *text)
{
    int n = g->seats;
    int first[8] = {g->age, g->phase, g->step, g->actor, g->turn, g->reshuffles, g->deck_at, g->arrivals};
    text->length = 0;
    ADD_LIST(text, first, 8);
    ADD_LIST(text, g->order, n);
    ADD_LIST(text, g->side_of, n);
    open_list(text);
    for (int side = 0; side < n; side++)
        for (int t = 0; t < b->size; t++)
            add_number(text, g->pawns[side][t]);
    close_list(text);
    ADD_LIST(text, g->pool, n);
    ADD_LIST(text, g->placed, n);
    ADD_LIST(text, g->reserve, n);
    ADD_LIST(text, g->removed, n);
    ADD_LIST(text, g->score, n);
    ADD_LIST(text, g->arrival, n);
    ADD_LIST(text, g->power, n);
    ADD_LIST(text, g->used, n);
    ADD_LIST(text, (const uint8_t *)g->hands, n * KINDS);
    ADD_LIST(text, g->deck, g->deck_size);
    ADD_LIST(text, g->discard, KINDS);
    open_list(text);
    add_number(text, (long long)g->settled);
    for (int seat = 0; seat < n; seat++)
        add_number(text, (long long)g->claims[seat]);
    add_number(text, g->battle);
    add_number(text, g->spared);
    close_list(text);
    open_list(text);
    add_number(text, g->pending);
    add_number(text, g->raft_all);
    for (int i = 0; i < g->raft_count; i++)
        add_number(text, g->rafts[i]);
    close_list(text);
}
