/* A board of the Python engine as tables, with the dense numbering of actions of engine.actions.all_actions. */
#include "game.h"
#include <Python.h>

static void number_actions(Table *b)
{
    int bases[5] = {PLACE, EAGLE, BATTLE, COEXIST, TLATOANI}, at = 0;
    for (int i = 0; i < END; i++)
        b->index_of[i] = -1;
#define NUMBER(action) (b->action_of[at] = (uint16_t)(action), b->index_of[action] = (int16_t)at, at++)
    NUMBER(PASS);
    for (int action = 4; action <= RAFT_ALL; action++)
        NUMBER(action);
    for (int k = 0; k < 5; k++)
        for (int t = 0; t < b->size; t++)
            NUMBER(bases[k] + t);
    for (int a = 0; a < b->size; a++) {
        b->moves_at[a] = at;
        for (int i = 0; i < b->degree[a]; i++)
            NUMBER(MOVE + 64 * a + b->neighbours[a][i]);
    }
    b->rafts_at = at;
    for (int i = 0; i < b->pairs; i++)
        NUMBER(b->pair_actions[i]);
#undef NUMBER
    b->actions = at;
}

static int read_pairs(PyObject *board, Table *b)
{
    PyObject *pairs = PyObject_GetAttrString(board, "shore_pairs");
    int fine = pairs && PyList_Check(pairs) && PyList_GET_SIZE(pairs) <= MOST_TERRITORIES * MOST_TERRITORIES / 2;
    b->pairs = fine ? (int)PyList_GET_SIZE(pairs) : 0;
    b->pair_masks = calloc((size_t)b->pairs + 1, sizeof *b->pair_masks);
    b->pair_actions = calloc((size_t)b->pairs + 1, sizeof *b->pair_actions);
    for (int i = 0; fine && i < b->pairs; i++) {
        int one = 0, two = 0;
        fine = PyArg_ParseTuple(PyList_GET_ITEM(pairs, i), "ii", &one, &two) && 0 <= one && one < two && two < b->size;
        if (fine) {
            b->pair_masks[i] = 1ull << one | 1ull << two;
            b->pair_actions[i] = (uint16_t)(RAFT + 64 * one + two);
        }
    }
    Py_XDECREF(pairs);
    return fine || complain("shore_pairs", "must be pairs of territories");
}

static int read_lakes(PyObject *board, Table *b)
{
    PyObject *lakes = PyObject_GetAttrString(board, "lake_masks");
    Py_ssize_t count = lakes ? PySequence_Size(lakes) : -1;
    Py_XDECREF(lakes);
    if (count < 0 || count > 100000)
        return complain("lake_masks", "must be a list of lakes");
    long long *masks = calloc((size_t)count + 1, sizeof *masks);
    int fine = masks && read_list(board, "lake_masks", (int)count, 0, (long long)b->everywhere, masks) >= 0;
    b->lakes = (int)count;
    b->lake_masks = (uint64_t *)masks;
    return fine;
}

static int read_board(PyObject *board, Table *b)
{
    long long some[MOST_TERRITORIES], size;
    if (!read_int(board, "size", 2, MOST_TERRITORIES, &size))
        return 0;
    b->size = (int)size;
    b->everywhere = (1ull << size) - 1;
    long long all = (long long)b->everywhere;
    if (read_list(board, "adjacent", b->size, 0, all, some) < 0)
        return 0;
    for (int t = 0; t < b->size; t++) {
        b->adjacent[t] = (uint64_t)some[t];
        for (uint64_t left = b->adjacent[t]; left; left &= left - 1)
            b->neighbours[t][b->degree[t]++] = (uint8_t)first_of(left);
    }
    if (read_list(board, "type_masks", TYPES, 0, all, some) < 0)
        return 0;
    do_copy(TYPES, some, 8, b->type_masks);
    if (read_list(board, "card_types", POWER_CARDS, WILD, TYPES - 1, some) < 0)
        return 0;
    do_copy(POWER_CARDS, some, 4, b->card_types);
    if (read_list(board, "card_values", POWER_CARDS, 0, 1000, some) < 0)
        return 0;
    do_copy(POWER_CARDS, some, 4, b->card_values);
    if (read_list(board, "blessed", 3, 0, TYPES - 1, some) < 0)
        return 0;
    do_copy(3, some, 4, b->blessed);
    if (!read_lakes(board, b) || !read_pairs(board, b))
        return 0;
    b->action_of = calloc(END, sizeof *b->action_of);
    number_actions(b);
    return 1;
}
