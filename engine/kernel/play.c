/* What is legal, why something is not, and playing: the doors of engine/state.py over the phases. */
#include "game.h"

static inline uint64_t eagle_territories(const Table *b, const Game *g)
{
    return g->rules & EAGLE_PLACED ? g->placed[g->actor] : b->everywhere;
}

static inline int can_play_eagle(const Game *g)
{
    int side = g->side_of[g->actor];
    return holds(g, g->actor, EAGLE_WARRIORS) && g->reserve[side] + g->removed[side] > 0;
}

static int legal_settlements(const Game *g, uint16_t *out)
{
    int count = 0;
    if (g->step == STEP_GAMES) {
        out[0] = PASS;
        out[1] = PLAY_GAMES;
        return 2;
    }
    uint64_t must = to_settle(g, g->actor), may = to_claim(g, g->actor);
    if (may && !must)
        out[count++] = PASS;
    for (; must; must &= must - 1) {
        out[count++] = (uint16_t)(BATTLE + first_of(must));
        out[count++] = (uint16_t)(COEXIST + first_of(must));
    }
    for (; may; may &= may - 1)
        out[count++] = (uint16_t)(TLATOANI + first_of(may));
    return count;
}

static int legal_scorings(const Table *b, const Game *g, uint16_t *out)
{
    int count = 0;
    if (is_wild(b, g, g->actor))
        for (int type = 0; type < TYPES; type++)
            out[count++] = (uint16_t)(NAME_TYPE + type);
    else
        out[count++] = PASS;
    for (int kind = 0; kind < 3; kind++)
        if (holds(g, g->actor, kind))
            out[count++] = (uint16_t)(BLESSING + kind);
    return count + raft_actions(b, g, g->actor, out + count);
}

static int legal_developments(const Table *b, const Game *g, uint16_t *out)
{
    int count = 0;
    if (g->step == STEP_MAIN) {
        for (; count < b->size; count++)
            out[count] = (uint16_t)(PLACE + count);
        return count;
    }
    out[count++] = PASS;
    for (uint64_t left = g->present[g->side_of[g->actor]]; left; left &= left - 1) {
        int from = first_of(left);
        for (int i = 0; i < b->degree[from]; i++)
            out[count++] = (uint16_t)(MOVE + 64 * from + b->neighbours[from][i]);
    }
    if (can_play_eagle(g))
        for (uint64_t left = eagle_territories(b, g); left; left &= left - 1)
            out[count++] = (uint16_t)(EAGLE + first_of(left));
    return count;
}

static int legal_cards(const Game *g, int seat, uint16_t *out)
{
    int count = 0;
    for (int i = 0; i < POWER_CARDS; i++)
        if (!(g->used[seat] >> i & 1))
            out[count++] = (uint16_t)(4 + i);
    return count;
}

/* Write the acting seat's legal actions, in the order of State.legal_actions; return how many there are. */
static int legal_actions(const Table *b, const Game *g, uint16_t out[MOST_LEGAL])
{
    switch (g->phase) {
    case CHOOSING: return legal_cards(g, g->actor, out);
    case DEVELOPMENT: return legal_developments(b, g, out);
    case CONFLICT: return legal_settlements(g, out);
    case SCORING: return legal_scorings(b, g, out);
    default: return 0;
    }
}

static const char *refuse_development(const Table *b, const Game *g, int64_t action)
{
    const char *after = "Development, 2: after placing, move a pawn, play Eagle, or pass";
    int64_t t = action - EAGLE, from = (action - MOVE) >> 6;
    if (g->step == STEP_MAIN)
        return action < PLACE || action >= PLACE + b->size
                   ? "Development, 1: the turn begins by placing a pawn in a territory" : NULL;
    if (action >= MOVE) {
        if (action >= RAFT || from >= b->size)
            return after;
        if (!(g->present[g->side_of[g->actor]] >> from & 1))
            return "Development, 2: only an own pawn can be moved, and none is there";
        if (!(b->adjacent[from] >> (action & 63) & 1))
            return "Development, 2: a pawn moves to an adjacent territory";
        return NULL;
    }
    if (action == PASS)
        return NULL;
    if (t < 0 || t >= b->size)
        return after;
    if (!holds(g, g->actor, EAGLE_WARRIORS))
        return "Eagle and Jaguar Warriors: the seat does not hold the card";
    if (!can_play_eagle(g))
        return "Eagle and Jaguar Warriors: no pawn is left in the reserve or among the removed";
    if (!(eagle_territories(b, g) >> t & 1))
        return "Eagle and Jaguar Warriors (Italian): only where the seat has placed a pawn in this age";
    return NULL;
}

static const char *refuse_conflict(const Game *g, int64_t action)
{
    int64_t kind = action & ~63ll, t = action & 63;
    if (g->step == STEP_GAMES)
        return action == PLAY_GAMES || action == PASS ? NULL : "Sacred Games: play the card or pass";
    if (action == PASS)
        return to_settle(g, g->actor)
                   ? "Conflict, 2: every conflict in which the seat is alone the strongest is settled" : NULL;
    if (kind == TLATOANI) {
        if (!holds(g, g->actor, GREAT_TLATOANI))
            return "Great Tlatoani: the seat does not hold the card";
        return to_claim(g, g->actor) >> t & 1
                   ? NULL : "Great Tlatoani: the seat is not tied for the most power in an open conflict there";
    }
    if (kind != BATTLE && kind != COEXIST)
        return "Conflict, 2: the seat chooses battle or coexistence";
    return to_settle(g, g->actor) >> t & 1
               ? NULL : "Conflict, 1: the seat is not alone the strongest in an open conflict there";
}

static const char *refuse_scoring(const Table *b, const Game *g, int64_t action)
{
    int seat = g->actor;
    if (action >= BLESSING && action < RAFT_ALL)
        return holds(g, seat, (int)action - BLESSING) ? NULL : "Blessing of the Gods: the seat does not hold this card";
    if (action == RAFT_ALL || action >= RAFT) {
        uint16_t found[MOST_TERRITORIES * MOST_TERRITORIES / 2];
        if (!holds(g, seat, RAFTS))
            return "Rafts and Canoes: the seat does not hold the card";
        for (int i = raft_actions(b, g, seat, found) - 1; i >= 0; i--)
            if (found[i] == action)
                return NULL;
        return "Rafts and Canoes: it joins own territories of two domains on the shore of one lake";
    }
    if (action == PASS)
        return is_wild(b, g, seat) ? "Scoring: with the wild card the seat names a territory type" : NULL;
    if (action >= NAME_TYPE && action < NAME_TYPE + TYPES)
        return is_wild(b, g, seat) ? NULL : "Scoring: only the wild card lets a seat name a territory type";
    return "Scoring: play a Blessing or Rafts and Canoes, or score";
}

/* The rule that forbids an action of the acting seat, in the words of State.apply, or NULL. */
static const char *refuse(const Table *b, const Game *g, int64_t action)
{
    if (g->phase == CHOOSING) {
        if (action < 4 || action > 9)
            return "Choosing: the action must be a power card, 4 to 9";
        return g->used[g->actor] >> (action - 4) & 1
                   ? "Choosing: this power card was used in an earlier age" : NULL;
    }
    if (g->phase == OVER)
        return "End of the Game: no more actions are taken";
    if (action < 0)
        return "actions are not negative";
    if (g->phase == DEVELOPMENT)
        return refuse_development(b, g, action);
    return g->phase == CONFLICT ? refuse_conflict(g, action) : refuse_scoring(b, g, action);
}

/* Play an action that `refuse` has nothing against. */
static inline void perform(const Table *b, Game *g, int action)
{
    switch (g->phase) {
    case CHOOSING: act_in_choosing(b, g, action); break;
    case DEVELOPMENT: act_in_development(b, g, action); break;
    case CONFLICT: act_in_conflict(b, g, action); break;
    case SCORING: act_in_scoring(b, g, action); break;
    default: break;
    }
}

/* legal_actions()[luck % their number], without making the list where that is slower; -1 if there is none. */
static inline int pick(const Table *b, const Game *g, uint32_t luck)
{
    uint16_t legal[MOST_LEGAL];
    if (g->phase == DEVELOPMENT && g->step == STEP_MAIN)
        return PLACE + (int)(luck % (uint32_t)b->size);
    if (g->phase == DEVELOPMENT && !holds(g, g->actor, EAGLE_WARRIORS)) {
        int side = g->side_of[g->actor], left = (int)(luck % (uint32_t)(1 + g->moves[side]));
        if (!left--)
            return PASS;
        for (uint64_t from = g->present[side]; from; from &= from - 1) {
            int t = first_of(from);
            if (left < b->degree[t])
                return MOVE + 64 * t + b->neighbours[t][left];
            left -= b->degree[t];
        }
        return PASS;
    }
    int count = legal_actions(b, g, legal);
    return count ? legal[luck % (uint32_t)count] : -1;
}

/* Play uniformly at random to the end, as State.playout does; return the number of decisions, or -1 if stuck. */
static int playout(const Table *b, Game *g, uint64_t seed)
{
    int decisions = 0;
    for (uint32_t luck = first_luck(seed); g->phase != OVER; decisions++) {
        luck = next_luck(luck);
        int action = pick(b, g, luck);
        if (action < 0)
            return -1;
        perform(b, g, action);
    }
    return decisions;
}
