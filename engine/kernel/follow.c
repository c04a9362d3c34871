/* The loop of the proof (tests/engine/kernel/prove.py): a game of the Python engine and one of the kernel are played
 * side by side, and compared before every decision. Only here, so that comparing does not take longer than playing. */
#include "game.h"
#include <Python.h>
#include <stddef.h>

typedef struct {
    const char *name;
    size_t at;
    int size, count;  /* of bytes per number; how many numbers: 0 for one that is no list, SEATS for one per seat */
} Field;

enum { SEATS = -1, VARIES = -2, LISTS = 18 };

#define FIELD(name, count) {#name, offsetof(Game, name), sizeof(((Game *)0)->name[0]), count}
#define NUMBER(name) {#name, offsetof(Game, name), sizeof(((Game *)0)->name), 0}
static const Field NUMBERS[] = {
    NUMBER(age), NUMBER(phase), NUMBER(step), NUMBER(actor), NUMBER(turn), NUMBER(reshuffles), NUMBER(arrivals),
    NUMBER(deck_at), NUMBER(raft_all), NUMBER(settled), NUMBER(battle), NUMBER(spared), NUMBER(pending),
};
static const Field TUPLES[LISTS] = {
    FIELD(order, SEATS), FIELD(side_of, SEATS), FIELD(reserve, SEATS), FIELD(removed, SEATS), FIELD(score, SEATS),
    FIELD(arrival, SEATS), FIELD(power, SEATS), FIELD(used, SEATS), FIELD(alone, SEATS), FIELD(tied, SEATS),
    FIELD(claims, SEATS), FIELD(present, SEATS), FIELD(pool, SEATS), FIELD(placed, SEATS), FIELD(discard, KINDS),
    FIELD(deck, VARIES), FIELD(rafts, VARIES), {"hands", offsetof(Game, hands), 1, SEATS * KINDS},
};
#undef FIELD
#undef NUMBER

/* What the kernel's field holds, as a number. Only `actor`, `turn` and `battle` are signed bytes. */
static inline long long number_at(const void *from, int size, int i, int is_signed)
{
    switch (size) {
    case 1: return is_signed ? ((const int8_t *)from)[i] : ((const uint8_t *)from)[i];
    case 2: return ((const uint16_t *)from)[i];
    case 4: return ((const int32_t *)from)[i];
    default: return (long long)((const uint64_t *)from)[i];
    }
}

static int same_list(PyObject *value, const void *own, int size, int count)
{
    if (!(PyTuple_Check(value) || PyList_Check(value)) || PySequence_Fast_GET_SIZE(value) != count)
        return 0;
    PyObject **items = PySequence_Fast_ITEMS(value);
    for (int i = 0; i < count; i++)
        if (!PyLong_Check(items[i]) || to_number(items[i]) != number_at(own, size, i, 0))
            return 0;
    return 1;
}

static int same_pawns(const Table *b, const Game *g, PyObject *value)
{
    if (!PyList_Check(value) || PyList_GET_SIZE(value) != g->seats * b->size)
        return 0;
    PyObject **items = PySequence_Fast_ITEMS(value);
    for (int side = 0; side < g->seats; side++) {
        uint64_t present = 0;
        int moves = 0;
        for (int t = 0; t < b->size; t++) {
            PyObject *item = *items++;
            if (!PyLong_Check(item) || to_number(item) != g->pawns[side][t])
                return 0;
            if (g->pawns[side][t]) {
                present |= 1ull << t;
                moves += b->degree[t];
            }
        }
        if (present != g->present[side] || moves != g->moves[side])
            return 0;
    }
    return 1;
}

/* Whether state and game agree in every field. A tuple that is the very object of the decision before has not
 * changed; it is compared only where the kernel's numbers have. */
static int same_fields(const Table *b, const Game *g, PyObject *state, PyObject *last[LISTS], const Game *before)
{
    int same = 1;
    for (size_t k = 0; same && k < sizeof NUMBERS / sizeof *NUMBERS; k++) {
        const Field *f = NUMBERS + k;
        int is_signed = f->at == offsetof(Game, actor) || f->at == offsetof(Game, turn) || f->at == offsetof(Game, battle);
        PyObject *value = attribute(state, f->name);
        same = value && PyLong_Check(value) &&
               to_number(value) == number_at((const char *)g + f->at, f->size, 0, is_signed);
        Py_XDECREF(value);
    }
    for (int k = 0; same && k < LISTS; k++) {
        const Field *f = TUPLES + k;
        const char *own = (const char *)g + f->at;
        int count = f->count == SEATS ? g->seats : f->count == SEATS * KINDS ? g->seats * KINDS : f->count;
        if (f->count == VARIES)
            count = f->at == offsetof(Game, deck) ? g->deck_size : g->raft_count;
        PyObject *value = attribute(state, f->name);
        if (!value)
            return 0;
        int known = value == last[k] && PyTuple_Check(value) && PyTuple_GET_SIZE(value) == count &&
                    !memcmp(own, (const char *)before + f->at, (size_t)(f->size * count));
        same = known || same_list(value, own, f->size, count);
        Py_XSETREF(last[k], value);
    }
    PyObject *pawns = same ? attribute(state, "pawns") : NULL;
    same = pawns && same_pawns(b, g, pawns);
    Py_XDECREF(pawns);
    return same;
}

static int is_card_or_peace(int action)
{
    return (action >= PLAY_GAMES && action < PLACE) || (action >= EAGLE && action < BATTLE) ||
           (action >= COEXIST && action < MOVE) || action >= RAFT;
}

/* A random action: of the `crowd` first territories, if that is not 0; in `peaceful` of 100 cases a card or peace. */
static int choose_for_proof(const Game *g, const uint16_t *legal, int count, int peaceful, int crowd, uint64_t *luck)
{
    int wanted[MOST_LEGAL], found = 0;
    if (g->phase == DEVELOPMENT && g->step == STEP_MAIN && crowd)
        return legal[random_below(luck, crowd < count ? crowd : count)];
    if (g->phase != CHOOSING && random_below(luck, 100) < peaceful)
        for (int i = 0; i < count; i++)
            if (is_card_or_peace(legal[i]))
                wanted[found++] = legal[i];
    return found ? wanted[random_below(luck, found)] : legal[random_below(luck, count)];
}

/* Play up to `steps` decisions in both. Return how many were made, of these with cards, and whether they are equal. */
static PyObject *games_follow(Games *self, PyObject *args)
{
    const Table *b = &self->board->table;
    Py_ssize_t i;
    PyObject *state, *last[LISTS] = {0};
    int steps, peaceful, crowd, done = 0, cards = 0, same = 1;
    unsigned long long seed;
    uint16_t legal[MOST_LEGAL];
    Game *g, before;
    if (!PyArg_ParseTuple(args, "nOiiiK", &i, &state, &steps, &peaceful, &crowd, &seed) || !(g = game_at(self, i)))
        return NULL;
    uint64_t luck = seed;
    forget(self, i);
    memset(&before, 0, sizeof before);
    for (; done < steps; done++) {
        PyObject *offered = PyObject_CallMethodNoArgs(state, interned("legal_actions"));
        int count = legal_actions(b, g, legal);
        same = offered && PyTuple_Check(offered) && same_list(offered, legal, sizeof *legal, count) &&
               same_fields(b, g, state, last, &before);
        Py_XDECREF(offered);
        if (!same || !count)
            break;
        int action = choose_for_proof(g, legal, count, peaceful, crowd, &luck);
        PyObject *number = PyLong_FromLong(action);
        PyObject *nothing = number ? PyObject_CallMethodOneArg(state, interned("apply"), number) : NULL;
        Py_XDECREF(number);
        Py_XDECREF(nothing);
        if (!nothing || refuse(b, g, action)) {
            same = 0;
            break;
        }
        cards += is_card_or_peace(action) && (action < COEXIST || action >= TLATOANI);
        before = *g;
        perform(b, g, action);
    }
    for (int k = 0; k < LISTS; k++)
        Py_XDECREF(last[k]);
    return PyErr_Occurred() ? NULL : Py_BuildValue("iiO", done, cards, same ? Py_True : Py_False);
}
