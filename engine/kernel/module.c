/* The Python face of the kernel: `Table`, a board, `Games`, a row of games on it, and `Single`, one game by itself.
 * engine/kernel/batch.py, which alone uses it, checks what callers pass. Whatever loops over games does so without the
 * interpreter's lock.
 *
 * One translation unit, so that the compiler sees through all of it. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "randomness.c"
#include "rules.c"
#include "scoring.c"
#include "play.c"
#include "judge.c"
#include "see.c"
#include "sample.c"
#include "foretell.c"
#include "read.c"
#include "table.c"
#include "tree.c"
#include "crew.c"

typedef struct {
    PyObject_HEAD
    Table table;
    PyObject *numbers[END], *places;  /* the board's actions as Python's numbers; those that place a pawn, as a tuple */
} TableObject;

typedef struct {
    PyObject_HEAD
    TableObject *board;
    Game *games;
    const void **shown_in;  /* the row that shows a game as it is, if `advance` wrote one; NULL after anything else */
    int32_t *checked;  /* the action that `check` found nothing against, for `advance`, or -1 */
    int seats;
    Py_ssize_t count;
} Games;

static PyTypeObject TableType, GamesType, CrewType;

static int make_numbers(TableObject *self)
{
    const Table *b = &self->table;
    int fine = (self->places = PyTuple_New(b->size)) != NULL;
    for (int i = 0; fine && i < b->actions; i++)
        fine = (self->numbers[b->action_of[i]] = PyLong_FromLong(b->action_of[i])) != NULL;
    for (int t = 0; fine && t < b->size; t++)
        PyTuple_SET_ITEM(self->places, t, Py_NewRef(self->numbers[PLACE + t]));
    return fine;
}

static PyObject *table_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *board;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "O", &board))
        return NULL;
    TableObject *self = (TableObject *)type->tp_alloc(type, 0);
    if (self && !(read_board(board, &self->table) && make_numbers(self)))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void table_free(TableObject *self)
{
    for (int i = 0; i < END; i++)
        Py_XDECREF(self->numbers[i]);
    Py_XDECREF(self->places);
    free(self->table.lake_masks);
    free(self->table.pair_masks);
    free(self->table.pair_actions);
    free(self->table.action_of);
    Py_TYPE(self)->tp_free(self);
}

static Games *make_games(TableObject *board, int seats, Py_ssize_t count)
{
    Games *self = PyObject_New(Games, &GamesType);
    if (!self)
        return NULL;
    Py_INCREF(board);
    self->board = board;
    self->seats = seats;
    self->count = count;
    self->games = PyMem_RawCalloc((size_t)count, sizeof(Game));
    self->shown_in = PyMem_RawCalloc((size_t)count, sizeof *self->shown_in);
    self->checked = PyMem_RawMalloc((size_t)(count ? count : 1) * sizeof *self->checked);
    if (!self->games || !self->shown_in || !self->checked) {
        Py_DECREF(self);
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        self->checked[i] = -1;
    return self;
}

static PyObject *games_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    TableObject *board;
    int seats;
    Py_ssize_t count;
    (void)type, (void)kwargs;
    if (!PyArg_ParseTuple(args, "O!in", &TableType, &board, &seats, &count))
        return NULL;
    if (seats < 2 || seats > MOST_SEATS || count < 0) {
        PyErr_SetString(PyExc_ValueError, "a game has 2, 3 or 4 seats");
        return NULL;
    }
    return (PyObject *)make_games(board, seats, count);
}

static void games_free(Games *self)
{
    PyMem_RawFree(self->games);
    PyMem_RawFree(self->shown_in);
    PyMem_RawFree(self->checked);
    Py_XDECREF(self->board);
    PyObject_Free(self);
}

static Game *game_at(Games *self, Py_ssize_t i)
{
    if (i >= 0 && i < self->count)
        return self->games + i;
    PyErr_Format(PyExc_IndexError, "there is no game %zd in a batch of %zd", i, self->count);
    return NULL;
}

/* A game has changed: no row shows it, and nothing is known about actions. */
static inline void forget(Games *self, Py_ssize_t i)
{
    self->shown_in[i] = NULL;
    self->checked[i] = -1;
}

static PyObject *games_clone(Games *self, PyObject *none)
{
    (void)none;
    Games *copy = make_games(self->board, self->seats, self->count);
    if (copy)
        memcpy(copy->games, self->games, sizeof(Game) * (size_t)self->count);
    return (PyObject *)copy;
}

static PyObject *games_copy(Games *self, PyObject *args)
{
    Py_ssize_t i, from;
    Games *other;
    Game *one, *two;
    if (!PyArg_ParseTuple(args, "nO!n", &i, &GamesType, &other, &from) || !(one = game_at(self, i)) ||
        !(two = game_at(other, from)))
        return NULL;
    *one = *two;
    forget(self, i);
    Py_RETURN_NONE;
}

static PyObject *games_deal(Games *self, PyObject *args)
{
    Py_ssize_t i, length;
    const char *seed;
    int rules;
    Game *g;
    if (!PyArg_ParseTuple(args, "ny#i", &i, &seed, &length, &rules) || !(g = game_at(self, i)))
        return NULL;
    if (length != 32)
        return PyErr_Format(PyExc_ValueError, "a seed has 32 bytes, not %zd", length);
    deal(g, self->seats, (const uint8_t *)seed, rules);
    forget(self, i);
    Py_RETURN_NONE;
}

static PyObject *games_load(Games *self, PyObject *args)
{
    Py_ssize_t i;
    PyObject *state;
    int rules;
    Game *g, fresh;
    if (!PyArg_ParseTuple(args, "nOi", &i, &state, &rules) || !(g = game_at(self, i)) ||
        !read_state(&self->board->table, state, rules, self->seats, &fresh))
        return NULL;
    *g = fresh;
    forget(self, i);
    Py_RETURN_NONE;
}

static int offers(const Table *b, const Game *g, PyObject *legal)
{
    uint16_t own[MOST_LEGAL];
    int count = legal_actions(b, g, own), same = PyTuple_GET_SIZE(legal) == count;
    for (int i = 0; same && i < count; i++)
        same = PyLong_Check(PyTuple_GET_ITEM(legal, i)) && to_number(PyTuple_GET_ITEM(legal, i)) == own[i];
    return same;
}

/* Whether a game is in this state, in every field; and, if a tuple is given, whether these are its legal actions. */
static PyObject *games_same(Games *self, PyObject *args)
{
    Py_ssize_t i;
    PyObject *state, *legal = NULL;
    int rules;
    Game *g, fresh;
    if (!PyArg_ParseTuple(args, "nOi|O!", &i, &state, &rules, &PyTuple_Type, &legal) || !(g = game_at(self, i)) ||
        !read_state(&self->board->table, state, rules, self->seats, &fresh))
        return NULL;
    return PyBool_FromLong(!memcmp(g, &fresh, sizeof fresh) && (!legal || offers(&self->board->table, g, legal)));
}

static PyObject *games_determinize(Games *self, PyObject *args)
{
    Py_ssize_t i, stop;
    PyObject *seen;
    int rules, seat, fine = 1;
    Game known;
    Py_buffer seeds;
    uint8_t hand_sizes[MOST_SEATS];
    if (!PyArg_ParseTuple(args, "nnOiy*", &i, &stop, &seen, &rules, &seeds))
        return NULL;
    if (i < 0 || stop > self->count || seeds.len < (stop - i) * 8 ||
        !read_observation(&self->board->table, seen, rules, self->seats, &known, &seat, hand_sizes)) {
        PyBuffer_Release(&seeds);
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_IndexError, "there are not so many games");
    }
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t k = i; fine && k < stop; k++) {
        self->games[k] = known;
        forget(self, k);
        fine = fill_in(&self->board->table, self->games + k, seat, hand_sizes, ((const uint64_t *)seeds.buf)[k - i]);
    }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&seeds);
    if (!fine)
        return PyErr_Format(PyExc_ValueError, "no deal of the unseen cards gives the acting seat anything to decide");
    Py_RETURN_NONE;
}

#include "follow.c"
#include "single.c"
#include "batch.c"

static PyModuleDef kernel = {PyModuleDef_HEAD_INIT, .m_name = "engine.kernel.native", .m_size = -1,
                             .m_doc = "Batches of games in C."};

PyMODINIT_FUNC PyInit_native(void)
{
    fill_spread();
    TableType = (PyTypeObject){PyVarObject_HEAD_INIT(NULL, 0).tp_name = "engine.kernel.native.Table",
                               .tp_basicsize = sizeof(TableObject), .tp_flags = Py_TPFLAGS_DEFAULT,
                               .tp_new = table_new, .tp_dealloc = (destructor)table_free};
    GamesType = (PyTypeObject){PyVarObject_HEAD_INIT(NULL, 0).tp_name = "engine.kernel.native.Games",
                               .tp_basicsize = sizeof(Games), .tp_flags = Py_TPFLAGS_DEFAULT, .tp_new = games_new,
                               .tp_dealloc = (destructor)games_free, .tp_methods = games_methods};
    SingleType = (PyTypeObject){PyVarObject_HEAD_INIT(NULL, 0).tp_name = "engine.kernel.native.Single",
                                .tp_basicsize = sizeof(Single), .tp_flags = Py_TPFLAGS_DEFAULT,
                                .tp_dealloc = (destructor)single_free, .tp_methods = single_methods};
    CrewType = (PyTypeObject){PyVarObject_HEAD_INIT(NULL, 0).tp_name = "engine.kernel.native.Crew",
                              .tp_basicsize = sizeof(Crew), .tp_flags = Py_TPFLAGS_DEFAULT, .tp_new = crew_new,
                              .tp_dealloc = (destructor)crew_free};
    PyObject *module = NULL;
    if (!PyType_Ready(&TableType) && !PyType_Ready(&GamesType) && !PyType_Ready(&SingleType) &&
        !PyType_Ready(&CrewType))
        module = PyModule_Create(&kernel);
    if (!module)
        return NULL;
    if (PyModule_AddObjectRef(module, "Table", (PyObject *)&TableType) ||
        PyModule_AddObjectRef(module, "Games", (PyObject *)&GamesType) ||
        PyModule_AddObjectRef(module, "Crew", (PyObject *)&CrewType) ||
        PyModule_AddStringConstant(module, "SOURCE", KERNEL_SOURCE))
        Py_CLEAR(module);
    return module;
}
