/* Boards, states and observations of the Python engine, read into flat memory. Nothing out of range gets in. */
#include "game.h"
#include <Python.h>

static int complain(const char *name, const char *problem)
{
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_OverflowError) || PyErr_ExceptionMatches(PyExc_TypeError))
        PyErr_Format(PyExc_ValueError, "%s %s", name, problem);
    return 0;
}

/* A name that this file spells out, as a string that is always the same object, by which the interpreter looks
 * attributes up much faster. They are kept by the address of the literal; there are far fewer than there is room. */
static PyObject *interned(const char *name)
{
    enum { ROOM = 256 };
    static struct { const char *name; PyObject *text; } known[ROOM];
    size_t at = (size_t)((uintptr_t)name * 0x9e3779b97f4a7c15ull >> 56);
    while (known[at].name && known[at].name != name)
        at = (at + 1) % ROOM;
    if (!known[at].name && (known[at].text = PyUnicode_InternFromString(name)))
        known[at].name = name;
    return known[at].text;
}

static PyObject *attribute(PyObject *from, const char *name)
{
    PyObject *text = interned(name);
    return text ? PyObject_GetAttr(from, text) : NULL;
}

/* PyLong_AsLongLong, without a call for the small numbers that nearly all of a game's are. */
static inline long long to_number(PyObject *value)
{
#if PY_VERSION_HEX >= 0x030c0000
    if (PyUnstable_Long_IsCompact((PyLongObject *)value))
        return PyUnstable_Long_CompactValue((PyLongObject *)value);
#else
    if (Py_SIZE(value) == 0 || Py_SIZE(value) == 1)
        return Py_SIZE(value) ? (long long)((PyLongObject *)value)->ob_digit[0] : 0;
#endif
    return PyLong_AsLongLong(value);
}

static int read_int(PyObject *from, const char *name, long long low, long long high, long long *out)
{
    PyObject *value = attribute(from, name);
    if (!value)
        return 0;
    *out = PyLong_Check(value) ? to_number(value) : low - 1;
    Py_DECREF(value);
    return *out < low || *out > high || (*out == -1 && PyErr_Occurred()) ? complain(name, "is not a number that a game can have") : 1;
}

/* Read a list of `count` numbers, or of at most -count; return how many, or -1. */
static int read_list(PyObject *from, const char *name, int count, long long low, long long high, long long *out)
{
    PyObject *value = attribute(from, name);
    PyObject *list = value ? PySequence_Fast(value, "must be a list") : NULL;
    int length = list ? (int)PySequence_Fast_GET_SIZE(list) : -1, fine = list != NULL;
    if (fine && (count >= 0 ? length != count : length > -count))
        fine = complain(name, "has not as many numbers as this game needs");
    for (int i = 0; fine && i < length; i++) {
        PyObject *item = PySequence_Fast_GET_ITEM(list, i);
        out[i] = PyLong_Check(item) ? to_number(item) : low - 1;
        if (out[i] < low || out[i] > high || (out[i] == -1 && PyErr_Occurred()))
            fine = complain(name, "holds a number that a game cannot have");
    }
    Py_XDECREF(list);
    Py_XDECREF(value);
    if (!fine)
        complain(name, "is not a list of numbers");
    return fine ? length : -1;
}

#define READ(field, low, high) (read_int(from, #field, low, high, &one) && (g->field = one, 1))
#define READ_AS(name, field, low, high) (read_int(from, name, low, high, &one) && (g->field = one, 1))
#define READ_ALL(name, field, low, high) (read_list(from, name, n, low, high, some) >= 0 && (COPY(field), 1))
#define COPY(field) do_copy(n, some, sizeof *g->field, g->field)

/* Kept out of line: inlined, the compiler cannot see that a game has at most four seats, and warns. */
static __attribute__((noinline)) void do_copy(int count, const long long *some, size_t size, void *out)
{
    for (int i = 0; i < count; i++) {
        if (size == 1)
            ((uint8_t *)out)[i] = (uint8_t)some[i];
        else if (size == 4)
            ((int32_t *)out)[i] = (int32_t)some[i];
        else
            ((uint64_t *)out)[i] = (uint64_t)some[i];
    }
}

static int is_permutation(const uint8_t *values, int n)
{
    int seen = 0;
    for (int i = 0; i < n; i++)
        seen |= 1 << values[i];
    return seen == (1 << n) - 1;
}

enum { MOST_POINTS = 30000 };

/* The fields that states and observations share. */
static int read_public(const Table *b, PyObject *from, Game *g)
{
    long long one, some[MOST_SEATS * MOST_TERRITORIES], all = (long long)b->everywhere;
    int n = g->seats;
    if (!(READ(age, 1, LAST_AGE) && READ(phase, 0, OVER) && READ(step, 0, 1) && READ(settled, 0, all) &&
          READ(battle, -1, b->size - 1) && READ(spared, 0, 15) && READ(pending, 0, MOST_POINTS) &&
          READ(raft_all, 0, 1) && READ_ALL("order", order, 0, n - 1) && READ_ALL("side_of", side_of, 0, n - 1) &&
          READ_ALL("reserve", reserve, 0, 60) && READ_ALL("removed", removed, 0, 60) &&
          READ_ALL("pool", pool, 0, 60) && READ_ALL("placed", placed, 0, all) && READ_ALL("claims", claims, 0, all) &&
          READ_ALL("used", used, 0, 63)))
        return 0;
    if (!is_permutation(g->order, n) || !is_permutation(g->side_of, n))
        return complain("order or side_of", "names a seat twice");
    if (read_list(from, "pawns", n * b->size, 0, 60, some) < 0)
        return 0;
    for (int side = 0; side < n; side++)
        for (int t = 0; t < b->size; t++)
            if (some[side * b->size + t]) {
                g->pawns[side][t] = (uint8_t)some[side * b->size + t];
                g->present[side] |= 1ull << t;
                g->moves[side] += b->degree[t];
            }
    if (read_list(from, "discard", KINDS, 0, DECK, some) < 0)
        return 0;
    do_copy(KINDS, some, 1, g->discard);
    int rafts = read_list(from, "rafts", -(MOST_RAFTS - DECK / 2), 0, 4095, some);
    for (int i = 0; i < rafts; i++)
        g->rafts[i] = (uint16_t)some[i];
    g->raft_count = (uint8_t)(rafts > 0 ? rafts : 0);
    return rafts >= 0;
}

/* What memory safety and an end of every loop rest on, beyond the range of each number. */
static int check_game(const Game *g)
{
    int total = g->deck_size - g->deck_at, rafts = g->raft_count;
    for (int kind = 0; kind < KINDS; kind++)
        total += g->discard[kind];
    for (int seat = 0; seat < g->seats; seat++) {
        rafts += g->hands[seat][RAFTS];
        for (int kind = 0; kind < KINDS; kind++)
            total += g->hands[seat][kind];
        if (g->phase != CHOOSING ? !g->power[seat] : g->used[seat] == 63 && !g->power[seat])
            return complain("power", "names no card where the game needs one");
        if (g->power[seat] && g->power[seat] < 4)
            return complain("power", "is not a power card");
    }
    if (total > DECK || rafts > MOST_RAFTS)
        return complain("hands", "and deck hold more prosperity cards than there are");
    if ((g->phase == OVER) != (g->actor < 0))
        return complain("actor", "is not a seat whose decision it is");
    if (g->phase == CHOOSING && g->power[g->actor])
        return complain("actor", "has chosen already");
    if (g->phase == CONFLICT && (g->turn < 0 || (g->step == STEP_GAMES && g->battle < 0)))
        return complain("battle", "is not there, or nobody's");
    return 1;
}

static int read_state(const Table *b, PyObject *from, int rules, int seats, Game *g)
{
    long long one, some[MOST_SEATS * KINDS], all = (long long)b->everywhere;
    uint64_t present[MOST_SEATS];
    int n = seats;
    memset(g, 0, sizeof *g);
    g->seats = (uint8_t)seats;
    g->rules = (uint8_t)rules;
    if (!(read_public(b, from, g) && READ(actor, -1, n - 1) && READ(reshuffles, 0, MOST_POINTS) &&
          READ(arrivals, 0, MOST_POINTS) && READ(deck_at, 0, DECK) && READ_ALL("score", score, 0, MOST_POINTS) &&
          READ_ALL("arrival", arrival, 0, MOST_POINTS) && READ_ALL("power", power, 0, 9) &&
          READ_ALL("alone", alone, 0, all) && READ_ALL("tied", tied, 0, all)))
        return 0;
    if (!READ(turn, -1, g->phase == OVER ? n : n - 1))
        return 0;
    if (read_list(from, "present", n, 0, all, some) < 0)
        return 0;
    do_copy(n, some, 8, present);
    if (memcmp(present, g->present, sizeof *present * (size_t)n))
        return complain("present", "does not follow from the pawns");
    if (read_list(from, "hands", n * KINDS, 0, DECK, some) < 0)
        return 0;
    do_copy(n * KINDS, some, 1, g->hands);
    int deck = read_list(from, "deck", -DECK, 0, KINDS - 1, some);
    if (deck < g->deck_at)
        return deck < 0 ? 0 : complain("deck_at", "is behind the end of the deck");
    g->deck_size = (uint8_t)deck;
    do_copy(deck, some, 1, g->deck);
    PyObject *seed = attribute(from, "seed");
    int fine = seed && PyBytes_Check(seed) && PyBytes_GET_SIZE(seed) == 32;
    if (fine)
        memcpy(g->seed, PyBytes_AS_STRING(seed), 32);
    Py_XDECREF(seed);
    return fine ? check_game(g) : complain("seed", "must be 32 bytes");
}

/* Read what a seat knows; an unseen power card is 1 until `fill_in` has chosen it. */
static int read_observation(const Table *b, PyObject *from, int rules, int seats, Game *g, int *seat,
                            uint8_t hand_sizes[MOST_SEATS])
{
    static const uint8_t in_deck[KINDS] = {3, 3, 3, 9, 3, 3, 3, 3};
    long long one, some[KINDS], chosen[MOST_SEATS], own_power;
    int n = seats, unseen = 0, hand = 0, others = 0;
    memset(g, 0, sizeof *g);
    g->seats = (uint8_t)seats;
    g->rules = (uint8_t)rules;
    if (!(read_public(b, from, g) && READ_AS("to_act", actor, -1, n - 1) && read_int(from, "seat", -1, n - 1, &one)))
        return 0;
    *seat = (int)one;
    if (g->actor < 0 && g->phase != OVER)
        return complain("to_act:", "whose decision it is is hidden here; sample from an observation of the acting seat");
    if (!(READ_ALL("scores", score, 0, MOST_POINTS) && READ_ALL("arrivals", arrival, 0, MOST_POINTS) &&
          READ_ALL("power", power, 0, 9) && read_int(from, "own_power", 0, 9, &own_power) &&
          read_list(from, "chosen", n, 0, 1, chosen) >= 0 && READ(deck_size, 0, DECK)))
        return 0;
    for (int i = 0; i < n; i++) {
        g->arrivals = g->arrival[i] + 1 > g->arrivals ? g->arrival[i] + 1 : g->arrivals;
        if (g->phase <= DEVELOPMENT)
            g->power[i] = (uint8_t)(i == *seat ? own_power : chosen[i] ? 4 : 0);
        if (g->phase <= DEVELOPMENT && i != *seat && chosen[i] && g->used[i] == 63)
            return complain("used", "leaves no power card that could lie face down");
    }
    if (read_list(from, "hand_sizes", n, 0, DECK, some) < 0)
        return 0;
    do_copy(n, some, 1, hand_sizes);
    if (read_list(from, "hand", KINDS, 0, DECK, some) < 0)
        return 0;
    for (int kind = 0; kind < KINDS; kind++) {
        int left = in_deck[kind] - (int)some[kind] - g->discard[kind];
        unseen += left > 0 ? left : 0;
        hand += (int)some[kind];
    }
    for (int i = 0; i < n; i++)
        others += i == *seat ? 0 : hand_sizes[i];
    if (unseen != others + g->deck_size || (*seat >= 0 && hand != hand_sizes[*seat]))
        return complain("hand_sizes:", "the counts of prosperity cards do not add up to the deck's thirty");
    if (*seat >= 0)
        do_copy(KINDS, some, 1, g->hands[*seat]);
    int active = g->actor;
    if (g->battle >= 0) {
        if (!read_int(from, "battle_by", 0, n - 1, &one))
            return 0;
        active = (int)one;
    }
    while (g->phase != CHOOSING && g->phase != OVER && g->order[g->turn] != active)
        g->turn++;
    return check_game(g);
}
