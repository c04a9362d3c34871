/* `Single`: one game, with those calls of engine/state.py that a search makes most. module.c includes this file. */

typedef struct {
    PyObject_HEAD
    TableObject *board;
    PyObject *refusal;  /* the error of an illegal action */
    Game game;
} Single;

static PyTypeObject SingleType;

static PyObject *make_single(TableObject *board, PyObject *refusal, const Game *g)
{
    Single *self = PyObject_New(Single, &SingleType);
    if (!self)
        return NULL;
    self->board = (TableObject *)Py_NewRef(board);
    self->refusal = Py_NewRef(refusal);
    self->game = *g;
    return (PyObject *)self;
}

static void single_free(Single *self)
{
    Py_DECREF(self->board);
    Py_DECREF(self->refusal);
    PyObject_Free(self);
}

/* A copy of one game of a row. */
static PyObject *games_single(Games *self, PyObject *args)
{
    Py_ssize_t i;
    PyObject *refusal;
    Game *g;
    if (!PyArg_ParseTuple(args, "nO", &i, &refusal) || !(g = game_at(self, i)))
        return NULL;
    return make_single(self->board, refusal, g);
}

static PyObject *single_clone(Single *self, PyObject *none)
{
    (void)none;
    return make_single(self->board, self->refusal, &self->game);
}

static inline PyObject *number_of(const TableObject *board, int action) { return Py_NewRef(board->numbers[action]); }

/* The legal actions of the acting seat as a tuple. A board's numbers are made once, and so is the list of places. */
static PyObject *offer(const TableObject *board, const Game *g)
{
    const Table *b = &board->table;
    uint16_t legal[MOST_LEGAL];
    if (g->phase == DEVELOPMENT && g->step == STEP_MAIN)
        return Py_NewRef(board->places);
    int count = legal_actions(b, g, legal);
    PyObject *found = PyTuple_New(count);
    for (int k = 0; found && k < count; k++)
        PyTuple_SET_ITEM(found, k, number_of(board, legal[k]));
    return found;
}

static PyObject *single_legal_actions(Single *self, PyObject *none)
{
    (void)none;
    return offer(self->board, &self->game);
}

static PyObject *single_apply(Single *self, PyObject *action)
{
    int overflow;
    if (!PyLong_Check(action))
        return PyErr_Format(PyExc_TypeError, "an action is an integer, not %.60s", Py_TYPE(action)->tp_name);
    long long number = PyLong_AsLongLongAndOverflow(action, &overflow);
    const char *rule = refuse(&self->board->table, &self->game, overflow > 0 ? INT64_MAX : overflow ? INT64_MIN : number);
    if (!rule) {
        perform(&self->board->table, &self->game, (int)number);
        Py_RETURN_NONE;
    }
    PyObject *what = Py_BuildValue("sO", rule, action);
    if (what)
        PyErr_SetObject(self->refusal, what);
    Py_XDECREF(what);
    return NULL;
}

static PyObject *single_is_over(Single *self, PyObject *none)
{
    (void)none;
    return PyBool_FromLong(self->game.phase == OVER);
}

static PyObject *single_to_act(Single *self, PyObject *none)
{
    (void)none;
    return PyLong_FromLong(self->game.actor);
}

static PyObject *to_list(const int32_t *values, int count)
{
    PyObject *found = PyList_New(count);
    for (int i = 0; found && i < count; i++)
        PyList_SET_ITEM(found, i, PyLong_FromLong(values[i]));
    return found;
}

static PyObject *single_scores(Single *self, PyObject *none)
{
    (void)none;
    return to_list(self->game.score, self->game.seats);
}

static PyObject *single_placements(Single *self, PyObject *none)
{
    uint8_t places[MOST_SEATS];
    int32_t numbers[MOST_SEATS];
    (void)none;
    placements(&self->game, places);
    for (int i = 0; i < self->game.seats; i++)
        numbers[i] = places[i];
    return to_list(numbers, self->game.seats);
}

static PyObject *single_playout(Single *self, PyObject *seed)
{
    unsigned long long number = PyLong_AsUnsignedLongLongMask(seed);
    if (PyErr_Occurred())
        return NULL;
    if (playout(&self->board->table, &self->game, number) < 0)
        return PyErr_Format(PyExc_ValueError, "the game came to a decision without a legal action");
    return single_placements(self, NULL);
}

static PyObject *single_fingerprint(Single *self, PyObject *none)
{
    Text text;
    (void)none;
    fingerprint(&self->board->table, &self->game, &text);
    return PyBytes_FromStringAndSize(text.text, text.length);
}

static PyMethodDef single_methods[] = {
    {"clone", (PyCFunction)single_clone, METH_NOARGS, NULL},
    {"legal_actions", (PyCFunction)single_legal_actions, METH_NOARGS, NULL},
    {"apply", (PyCFunction)single_apply, METH_O, NULL},
    {"is_over", (PyCFunction)single_is_over, METH_NOARGS, NULL},
    {"to_act", (PyCFunction)single_to_act, METH_NOARGS, NULL},
    {"scores", (PyCFunction)single_scores, METH_NOARGS, NULL},
    {"placements", (PyCFunction)single_placements, METH_NOARGS, NULL},
    {"playout", (PyCFunction)single_playout, METH_O, NULL},
    {"fingerprint", (PyCFunction)single_fingerprint, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
