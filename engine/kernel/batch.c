/* The methods of `Games` that read or play many games: parts of module.c, which includes this file. */

typedef struct {
    Py_buffer view;
    int held;
} Buffer;

/* Take a buffer of at least `wanted` bytes. batch.py has checked what is in it. */
static int take(PyObject *from, Buffer *buffer, Py_ssize_t wanted, int writable)
{
    if (PyObject_GetBuffer(from, &buffer->view, writable ? PyBUF_CONTIG : PyBUF_CONTIG_RO))
        return 0;
    buffer->held = 1;
    if (buffer->view.len >= wanted)
        return 1;
    PyErr_Format(PyExc_ValueError, "a buffer of %zd bytes was given where %zd are needed", buffer->view.len, wanted);
    return 0;
}

static void give_back(Buffer *buffers, int count)
{
    for (int i = 0; i < count; i++)
        if (buffers[i].held)
            PyBuffer_Release(&buffers[i].view);
}

/* A crew, or NULL for None; 0 if it is neither. */
static int read_crew(PyObject *given, Crew **crew)
{
    *crew = NULL;
    if (given == Py_None)
        return 1;
    if (!PyObject_TypeCheck(given, &CrewType))
        return !PyErr_Format(PyExc_TypeError, "a crew is needed, not %.100s", Py_TYPE(given)->tp_name);
    *crew = (Crew *)given;
    return 1;
}

/* A loop over games that is shared by the threads of a crew. */
typedef struct {
    Games *self;
    Py_ssize_t start, stop;
    int pieces;
} Span;

static inline Py_ssize_t edge(const Span *span, int piece)
{
    return span->start + (span->stop - span->start) * piece / span->pieces;
}

static int in_range(Games *self, Py_ssize_t start, Py_ssize_t stop)
{
    if (0 <= start && start <= stop && stop <= self->count)
        return 1;
    PyErr_Format(PyExc_IndexError, "games %zd to %zd are not all in a batch of %zd", start, stop, self->count);
    return 0;
}

/* The action that is meant, or -2 if a dense index names none. */
static inline int64_t meant(const Table *b, int64_t action, int dense)
{
    if (!dense)
        return action;
    return action < 0 || action >= b->actions ? -2 : b->action_of[action];
}

typedef struct {
    Span span;
    const int64_t *actions;
    int dense;
    const char *rule[MOST_PIECES];
    Py_ssize_t at[MOST_PIECES];
} Check;

static void check_some(void *job, int piece)
{
    Check *check = job;
    Games *self = check->span.self;
    const Table *b = &self->board->table;
    const char *rule = NULL;
    Py_ssize_t i = edge(&check->span, piece), stop = edge(&check->span, piece + 1);
    for (; !rule && i < stop; i++) {
        int64_t action = meant(b, check->actions[i], check->dense);
        if (check->dense && action == -2)
            rule = "the index is not one of the board's actions";
        else if (check->dense || action != -1)
            rule = refuse(b, self->games + i, action);
        self->checked[i] = rule ? -1 : (int32_t)action;
    }
    check->rule[piece] = rule;
    check->at[piece] = i - 1;
}

static PyObject *games_check(Games *self, PyObject *args)
{
    PyObject *given, *helpers = Py_None;
    Crew *crew;
    Check check = {.span = {.self = self}};
    Span *span = &check.span;
    Buffer buffer = {0};
    if (!PyArg_ParseTuple(args, "Onnp|O", &given, &span->start, &span->stop, &check.dense, &helpers) ||
        !read_crew(helpers, &crew) || !in_range(self, span->start, span->stop) ||
        !take(given, &buffer, span->stop * 8, 0)) {
        give_back(&buffer, 1);
        return NULL;
    }
    check.actions = buffer.view.buf;
    span->pieces = pieces_for(crew);
    Py_BEGIN_ALLOW_THREADS
    share(crew, span->pieces, check_some, &check);
    Py_END_ALLOW_THREADS
    give_back(&buffer, 1);
    for (int piece = 0; piece < span->pieces; piece++)
        if (check.rule[piece])
            return Py_BuildValue("ns", check.at[piece], check.rule[piece]);
    Py_RETURN_NONE;
}

/* Play actions that `check` found nothing against; -1 leaves a game alone. */
static PyObject *games_apply(Games *self, PyObject *args)
{
    const Table *b = &self->board->table;
    PyObject *given;
    Py_ssize_t start, stop;
    Buffer buffer = {0};
    if (!PyArg_ParseTuple(args, "Onn", &given, &start, &stop) || !in_range(self, start, stop) ||
        !take(given, &buffer, stop * 8, 0)) {
        give_back(&buffer, 1);
        return NULL;
    }
    const int64_t *actions = buffer.view.buf;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = start; i < stop; i++)
        if (actions[i] != -1 && !refuse(b, self->games + i, actions[i])) {
            perform(b, self->games + i, (int)actions[i]);
            forget(self, i);
        }
    Py_END_ALLOW_THREADS
    give_back(&buffer, 1);
    Py_RETURN_NONE;
}

static PyObject *games_legal(Games *self, PyObject *args)
{
    Py_ssize_t i;
    Game *g;
    if (!PyArg_ParseTuple(args, "n", &i) || !(g = game_at(self, i)))
        return NULL;
    return offer(self->board, g);
}

static PyObject *games_age(Games *self, PyObject *args)
{
    Py_ssize_t i;
    Game *g;
    if (!PyArg_ParseTuple(args, "n", &i) || !(g = game_at(self, i)))
        return NULL;
    return PyLong_FromLong(g->age);
}

static PyObject *games_mask_into(Games *self, PyObject *args)
{
    const Table *b = &self->board->table;
    PyObject *out;
    Py_ssize_t start, stop;
    Buffer buffer = {0};
    if (!PyArg_ParseTuple(args, "Onn", &out, &start, &stop) || !in_range(self, start, stop) ||
        !take(out, &buffer, stop * b->actions, 1)) {
        give_back(&buffer, 1);
        return NULL;
    }
    uint8_t *mask = buffer.view.buf;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = start; i < stop; i++)
        put_mask(b, self->games + i, mask + i * b->actions);
    Py_END_ALLOW_THREADS
    give_back(&buffer, 1);
    Py_RETURN_NONE;
}

/* Write what one seat sees of each game; -2 stands for the acting seat (the spectators' where a game is over). */
static PyObject *games_observe_into(Games *self, PyObject *args)
{
    const Table *b = &self->board->table;
    Py_ssize_t start, stop, size = observation_size(b, self->seats);
    PyObject *out;
    int seat;
    Buffer buffer = {0};
    if (!PyArg_ParseTuple(args, "Onni", &out, &start, &stop, &seat) || !in_range(self, start, stop) ||
        !take(out, &buffer, stop * size * 2, 1)) {
        give_back(&buffer, 1);
        return NULL;
    }
    if (seat < -2 || seat >= self->seats) {
        give_back(&buffer, 1);
        return PyErr_Format(PyExc_ValueError, "there is no seat %d to observe from", seat);
    }
    int16_t *numbers = buffer.view.buf;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = start; i < stop; i++)
        encode(b, self->games + i, seat == -2 ? self->games[i].actor : seat, numbers + i * size);
    Py_END_ALLOW_THREADS
    give_back(&buffer, 1);
    Py_RETURN_NONE;
}

static PyObject *games_actors(Games *self, PyObject *none)
{
    (void)none;
    PyObject *found = PyBytes_FromStringAndSize(NULL, self->count);
    for (Py_ssize_t i = 0; found && i < self->count; i++)
        PyBytes_AS_STRING(found)[i] = self->games[i].actor;
    return found;
}

/* n playouts of one game, of the seeds from `seed` on: the placements, a byte per seat, and the decisions made. */
static PyObject *games_playouts(Games *self, PyObject *args)
{
    const Table *b = &self->board->table;
    Py_ssize_t i, n;
    unsigned long long seed;
    long long decisions = 0;
    int one = 0;
    Game *g, from;
    if (!PyArg_ParseTuple(args, "nnK", &i, &n, &seed) || !(g = game_at(self, i)))
        return NULL;
    PyObject *found = PyBytes_FromStringAndSize(NULL, n * self->seats);
    if (!found)
        return NULL;
    char *places = PyBytes_AS_STRING(found);
    from = *g;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t k = 0; one >= 0 && k < n; k++) {
        uint8_t ranks[MOST_SEATS];
        Game game = from;
        one = playout(b, &game, seed + (unsigned long long)k);
        decisions += one;
        placements(&game, ranks);
        memcpy(places + k * self->seats, ranks, (size_t)self->seats);
    }
    Py_END_ALLOW_THREADS
    if (one < 0) {
        Py_DECREF(found);
        return PyErr_Format(PyExc_ValueError, "the game came to a decision without a legal action");
    }
    return Py_BuildValue("NL", found, decisions);
}

static PyObject *games_placements(Games *self, PyObject *args)
{
    Py_ssize_t i;
    Game *g;
    uint8_t places[MOST_SEATS];
    if (!PyArg_ParseTuple(args, "n", &i) || !(g = game_at(self, i)))
        return NULL;
    placements(g, places);
    return PyBytes_FromStringAndSize((char *)places, self->seats);
}

static PyObject *games_fingerprint(Games *self, PyObject *args)
{
    Py_ssize_t i;
    Game *g;
    Text text;
    if (!PyArg_ParseTuple(args, "n", &i) || !(g = game_at(self, i)))
        return NULL;
    fingerprint(&self->board->table, g, &text);
    return PyBytes_FromStringAndSize(text.text, text.length);
}

static PyObject *to_tuple(const void *values, size_t size, int count)
{
    PyObject *found = PyTuple_New(count);
    for (int i = 0; found && i < count; i++) {
        long long value = size == 1   ? ((const uint8_t *)values)[i]
                          : size == 2 ? ((const uint16_t *)values)[i]
                          : size == 4 ? ((const int32_t *)values)[i]
                                      : (long long)((const uint64_t *)values)[i];
        PyTuple_SET_ITEM(found, i, PyLong_FromLongLong(value));
    }
    return found;
}

/* Everything that engine/position.py keeps, by its names there. `pawns` has the full stride of 60. */
static PyObject *games_fields(Games *self, PyObject *args)
{
    Py_ssize_t i;
    Game *g;
    if (!PyArg_ParseTuple(args, "n", &i) || !(g = game_at(self, i)))
        return NULL;
    int n = g->seats;
#define LIST(name, field, count) name, to_tuple(g->field, sizeof *g->field, count)
    return Py_BuildValue(
        "{si si si si si si si si si sK si si si si sN sN sN sN sN sN sN sN sN sN sN sN sN sN sN sN sN sN sN}",
        "age", g->age, "phase", g->phase, "step", g->step, "actor", g->actor, "turn", g->turn, "reshuffles",
        g->reshuffles, "arrivals", g->arrivals, "deck_at", g->deck_at, "raft_all", g->raft_all, "settled",
        (unsigned long long)g->settled, "battle", g->battle, "spared", g->spared, "pending", g->pending, "rules",
        g->rules, LIST("order", order, n), LIST("side_of", side_of, n), LIST("present", present, n),
        LIST("placed", placed, n), LIST("alone", alone, n), LIST("tied", tied, n), LIST("claims", claims, n),
        LIST("score", score, n), LIST("arrival", arrival, n), LIST("pool", pool, n), LIST("reserve", reserve, n),
        LIST("removed", removed, n), LIST("power", power, n), LIST("used", used, n),
        "pawns", to_tuple(g->pawns, 1, n * MOST_TERRITORIES), "hands", to_tuple(g->hands, 1, n * KINDS),
        LIST("discard", discard, KINDS), LIST("deck", deck, g->deck_size), LIST("rafts", rafts, g->raft_count));
}

static PyObject *games_seed(Games *self, PyObject *args)
{
    Py_ssize_t i;
    Game *g;
    if (!PyArg_ParseTuple(args, "n", &i) || !(g = game_at(self, i)))
        return NULL;
    return PyBytes_FromStringAndSize((char *)g->seed, 32);
}

typedef struct {
    Span span;
    uint64_t seed;
    int64_t *found;
} Sample;

static void sample_some(void *job, int piece)
{
    const Sample *sample = job;
    const Games *self = sample->span.self;
    const Table *b = &self->board->table;
    for (Py_ssize_t i = edge(&sample->span, piece); i < edge(&sample->span, piece + 1); i++) {
        uint64_t luck = sample->seed + (uint64_t)i * 0xd1342543de82ef95ull;
        int action = pick(b, self->games + i, (uint32_t)(next_random(&luck) >> 32));
        sample->found[i] = action < 0 ? -1 : b->index_of[action];
    }
}

/* A uniformly random legal action of each game, by its dense index; -1 where a game is over. */
static PyObject *games_sample_into(Games *self, PyObject *args)
{
    PyObject *out, *helpers = Py_None;
    Crew *crew;
    unsigned long long seed;
    Sample sample = {.span = {.self = self}};
    Span *span = &sample.span;
    Buffer buffer = {0};
    if (!PyArg_ParseTuple(args, "OKnn|O", &out, &seed, &span->start, &span->stop, &helpers) ||
        !read_crew(helpers, &crew) || !in_range(self, span->start, span->stop) ||
        !take(out, &buffer, span->stop * 8, 1)) {
        give_back(&buffer, 1);
        return NULL;
    }
    sample.seed = seed;
    sample.found = buffer.view.buf;
    span->pieces = pieces_for(crew);
    Py_BEGIN_ALLOW_THREADS
    share(crew, span->pieces, sample_some, &sample);
    Py_END_ALLOW_THREADS
    give_back(&buffer, 1);
    Py_RETURN_NONE;
}

typedef struct {
    Span span;
    Py_ssize_t size;  /* numbers of an observation */
    int16_t *observation, *final;
    uint8_t *mask, *done;
    float *reward;
    int8_t *seat;
} Advance;

static void advance_game(const Advance *to, Py_ssize_t i)
{
    Games *self = to->span.self;
    const Table *b = &self->board->table;
    Game *g = self->games + i;
    int16_t *row = to->observation + i * to->size;
    int n = self->seats, actor = g->actor, action = self->checked[i], age = g->age, phase = g->phase, battle = g->battle;
    int known = self->shown_in[i] == row && action >= 0 && (action & ~63) != EAGLE;
    self->checked[i] = -1;
    if (action >= 0)
        perform(b, g, action);
    to->done[i] = g->phase == OVER;
    if (to->done[i]) {
        uint8_t places[MOST_SEATS];
        placements(g, places);
        for (int k = 0; k < n; k++)
            to->reward[i * n + k] = (float)(n + 1 - 2 * places[k]) / (float)(n - 1);
        encode(b, g, actor, to->final + i * to->size);
        next_seed(g->seed);
        deal(g, n, g->seed, g->rules);
    }
    to->seat[i] = g->actor;
    if (known && !to->done[i] && g->phase == phase && g->age == age)
        encode_changes(b, g, actor, battle, action, row);
    else
        encode(b, g, g->actor, row);
    self->shown_in[i] = row;
    put_mask(b, g, to->mask + i * b->actions);
}

static void advance_some(void *job, int piece)
{
    const Advance *to = job;
    Py_ssize_t start = edge(&to->span, piece), stop = edge(&to->span, piece + 1);
    int n = to->span.self->seats;
    memset(to->reward + start * n, 0, sizeof *to->reward * (size_t)((stop - start) * n));
    for (Py_ssize_t i = start; i < stop; i++)
        advance_game(to, i);
}

/* One step of a vector environment: play what `check` has just found nothing against, reward, deal anew where a game
 * ended, and show. */
static PyObject *games_advance(Games *self, PyObject *args)
{
    enum { OBSERVATION, MASK, REWARD, DONE, SEAT, FINAL, BUFFERS };
    Py_ssize_t size = observation_size(&self->board->table, self->seats);
    PyObject *given[BUFFERS], *helpers = Py_None;
    Crew *crew;
    Advance to = {.span = {.self = self}, .size = size};
    Span *span = &to.span;
    Buffer buffers[BUFFERS] = {{{0}, 0}};
    int fine = 1;
    if (!PyArg_ParseTuple(args, "OOOOOOnn|O", given, given + 1, given + 2, given + 3, given + 4, given + 5,
                          &span->start, &span->stop, &helpers) ||
        !read_crew(helpers, &crew) || !in_range(self, span->start, span->stop))
        return NULL;
    Py_ssize_t wanted[BUFFERS] = {size * 2, self->board->table.actions, self->seats * 4, 1, 1, size * 2};
    for (int k = 0; fine && k < BUFFERS; k++)
        fine = take(given[k], buffers + k, span->stop * wanted[k], 1);
    if (!fine) {
        give_back(buffers, BUFFERS);
        return NULL;
    }
    to.observation = buffers[OBSERVATION].view.buf;
    to.final = buffers[FINAL].view.buf;
    to.mask = buffers[MASK].view.buf;
    to.done = buffers[DONE].view.buf;
    to.reward = buffers[REWARD].view.buf;
    to.seat = buffers[SEAT].view.buf;
    span->pieces = pieces_for(crew);
    Py_BEGIN_ALLOW_THREADS
    share(crew, span->pieces, advance_some, &to);
    Py_END_ALLOW_THREADS
    give_back(buffers, BUFFERS);
    Py_RETURN_NONE;
}

/* FEATURES of each seat of each game. */
static PyObject *games_judge_into(Games *self, PyObject *args)
{
    const Table *b = &self->board->table;
    PyObject *out;
    Buffer buffer = {0};
    if (!PyArg_ParseTuple(args, "O", &out) || !take(out, &buffer, self->count * self->seats * FEATURES * 4, 1)) {
        give_back(&buffer, 1);
        return NULL;
    }
    int32_t *numbers = buffer.view.buf;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < self->count; i++)
        judge(b, self->games + i, numbers + i * self->seats * FEATURES);
    Py_END_ALLOW_THREADS
    give_back(&buffer, 1);
    Py_RETURN_NONE;
}

/* What the network foretells for each seat of each game. */
static PyObject *games_foretell_into(Games *self, PyObject *args)
{
    PyObject *out, *network;
    Buffer buffers[2] = {{{0}, 0}};
    if (!PyArg_ParseTuple(args, "OO", &out, &network) ||
        !take(out, buffers, self->count * self->seats * (Py_ssize_t)sizeof(float), 1) ||
        !take(network, buffers + 1, sizeof(Network), 0)) {
        give_back(buffers, 2);
        return NULL;
    }
    float *numbers = buffers[0].view.buf;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < self->count; i++) {
        float values[MOST_SEATS];
        foretell_all(&self->board->table, self->games + i, buffers[1].view.buf, values);
        memcpy(numbers + i * self->seats, values, sizeof *values * (size_t)self->seats);
    }
    Py_END_ALLOW_THREADS
    give_back(buffers, 2);
    Py_RETURN_NONE;
}

/* What a seat that trusts the network does in each game, and what the network sees after it. */
static PyObject *games_think_into(Games *self, PyObject *args)
{
    PyObject *out, *seen, *network;
    int worlds, explore;
    unsigned long long seed;
    Buffer buffers[3] = {{{0}, 0}};
    if (!PyArg_ParseTuple(args, "OOOiiK", &out, &seen, &network, &worlds, &explore, &seed) ||
        !take(out, buffers, self->count * 8, 1) || !take(network, buffers + 1, sizeof(Network), 0) ||
        (seen != Py_None && !take(seen, buffers + 2, self->count * INPUTS * (Py_ssize_t)sizeof(float), 1))) {
        give_back(buffers, 3);
        return NULL;
    }
    int64_t *chosen = buffers[0].view.buf;
    float *rows = buffers[2].view.buf;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < self->count; i++) {
        uint64_t luck = seed + (uint64_t)i * 0xd1342543de82ef95ull;
        chosen[i] = think(&self->board->table, self->games + i, buffers[1].view.buf, worlds, explore, luck,
                          rows ? rows + i * INPUTS : NULL);
    }
    Py_END_ALLOW_THREADS
    give_back(buffers, 3);
    Py_RETURN_NONE;
}

/* Play the age of each game to its end, game i with the luck of `seed + i`. */
static PyObject *games_end_age(Games *self, PyObject *args)
{
    unsigned long long seed;
    if (!PyArg_ParseTuple(args, "K", &seed))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < self->count; i++) {
        end_age(&self->board->table, self->games + i, seed + (unsigned long long)i);
        forget(self, i);
    }
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

/* Copies of some of the games, in the order of their numbers, any of them as often as wanted. */
static PyObject *games_take(Games *self, PyObject *args)
{
    PyObject *given;
    Buffer buffer = {0};
    if (!PyArg_ParseTuple(args, "O", &given) || !take(given, &buffer, 0, 0)) {
        give_back(&buffer, 1);
        return NULL;
    }
    const int64_t *numbers = buffer.view.buf;
    Py_ssize_t count = buffer.view.len / 8;
    Games *copy = make_games(self->board, self->seats, count);
    for (Py_ssize_t i = 0; copy && i < count; i++) {
        Game *g = game_at(self, numbers[i]);
        if (!g)
            Py_CLEAR(copy);
        else
            copy->games[i] = *g;
    }
    give_back(&buffer, 1);
    return (PyObject *)copy;
}

/* The root's children among these actions, as bits. None: all of them. */
static int mark_rivals(const Tree *tree, PyObject *actions, uint32_t *marked)
{
    *marked = actions == Py_None ? UINT32_MAX : 0;
    if (actions == Py_None)
        return 1;
    PyObject *list = PySequence_Fast(actions, "the actions must be a list");
    for (Py_ssize_t k = 0; list && k < PySequence_Fast_GET_SIZE(list); k++) {
        long action = PyLong_AsLong(PySequence_Fast_GET_ITEM(list, k));
        if (action == -1 && PyErr_Occurred())
            break;
        for (int i = 0; i < tree->nodes[0].children; i++)
            if (tree->nodes[tree->nodes[0].first_child + i].action == action)
                *marked |= 1u << i;
    }
    Py_XDECREF(list);
    return !PyErr_Occurred();
}

/* (action, visits, mean) of the root's marked children. */
static PyObject *list_rivals(const Tree *tree, uint32_t marked)
{
    PyObject *found = PyList_New(0);
    for (int i = 0; found && i < tree->nodes[0].children; i++) {
        const Node *child = tree->nodes + tree->nodes[0].first_child + i;
        if (!(marked >> i & 1))
            continue;
        PyObject *row = Py_BuildValue("iif", child->action, child->visits,
                                      child->visits ? child->total / (float)child->visits : child->first_sight);
        if (!row || PyList_Append(found, row))
            Py_CLEAR(found);
        Py_XDECREF(row);
    }
    return found;
}

/* Grow a tree from an observation: simulate the root's children among some actions, or all, in so many worlds each. The
 * tree lives in `memory` between calls, so that a bot can look at its clock. */
static PyObject *games_search(Games *self, PyObject *args)
{
    const Table *b = &self->board->table;
    PyObject *seen, *memory, *network, *actions;
    int rules, worlds, patience, seat, fine = 1;
    unsigned long long seed;
    float curiosity;
    uint32_t marked;
    Game known;
    Buffer buffers[2] = {{{0}, 0}};
    uint8_t hand_sizes[MOST_SEATS];
    if (!PyArg_ParseTuple(args, "OOiiKfiOO", &seen, &memory, &rules, &worlds, &seed, &curiosity, &patience, &network,
                          &actions) ||
        !read_observation(b, seen, rules, self->seats, &known, &seat, hand_sizes) ||
        !take(memory, buffers, (Py_ssize_t)sizeof(Node) * (ROOT + 2), 1) ||
        (network != Py_None && !take(network, buffers + 1, sizeof(Network), 0))) {
        give_back(buffers, 2);
        return NULL;
    }
    /* The first node's place holds the number of nodes. */
    Node *nodes = buffers[0].view.buf;
    Tree tree = {nodes + 1, nodes->visits ? nodes->visits : 1, (int)(buffers[0].view.len / (Py_ssize_t)sizeof(Node)) - 1,
                 patience, curiosity, buffers[1].view.buf, seat};
    if (tree.count < 1 || tree.count > tree.room)
        fine = !PyErr_Format(PyExc_ValueError, "the memory does not hold a tree");
    if (fine && !tree.nodes[0].children) {
        Py_BEGIN_ALLOW_THREADS
        fine = open_root(b, &tree, &known, hand_sizes, ~seed);
        Py_END_ALLOW_THREADS
        if (!fine)
            PyErr_Format(PyExc_ValueError, "no deal fits what the seat knows");
    }
    if (!fine || !mark_rivals(&tree, actions, &marked)) {
        give_back(buffers, 2);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    for (int i = 0; fine && i < worlds; i++) {
        Game world = known;
        fine = fill_in(b, &world, seat, hand_sizes, seed + (unsigned long long)i);
        if (fine)
            simulate_rivals(b, &tree, &world, marked, seed + (unsigned long long)i);
    }
    Py_END_ALLOW_THREADS
    nodes->visits = tree.count;
    PyObject *found = fine ? list_rivals(&tree, marked)
                           : PyErr_Format(PyExc_ValueError, "no deal fits what the seat knows");
    give_back(buffers, 2);
    return found;
}

static PyObject *games_sizes(Games *self, PyObject *none)
{
    (void)none;
    return Py_BuildValue("ii", observation_size(&self->board->table, self->seats), self->board->table.actions);
}

static PyMethodDef games_methods[] = {
    {"clone", (PyCFunction)games_clone, METH_NOARGS, NULL},
    {"single", (PyCFunction)games_single, METH_VARARGS, NULL},
    {"copy", (PyCFunction)games_copy, METH_VARARGS, NULL},
    {"deal", (PyCFunction)games_deal, METH_VARARGS, NULL},
    {"load", (PyCFunction)games_load, METH_VARARGS, NULL},
    {"same", (PyCFunction)games_same, METH_VARARGS, NULL},
    {"follow", (PyCFunction)games_follow, METH_VARARGS, NULL},
    {"determinize", (PyCFunction)games_determinize, METH_VARARGS, NULL},
    {"check", (PyCFunction)games_check, METH_VARARGS, NULL},
    {"apply", (PyCFunction)games_apply, METH_VARARGS, NULL},
    {"legal", (PyCFunction)games_legal, METH_VARARGS, NULL},
    {"age", (PyCFunction)games_age, METH_VARARGS, NULL},
    {"mask_into", (PyCFunction)games_mask_into, METH_VARARGS, NULL},
    {"observe_into", (PyCFunction)games_observe_into, METH_VARARGS, NULL},
    {"actors", (PyCFunction)games_actors, METH_NOARGS, NULL},
    {"playouts", (PyCFunction)games_playouts, METH_VARARGS, NULL},
    {"placements", (PyCFunction)games_placements, METH_VARARGS, NULL},
    {"fingerprint", (PyCFunction)games_fingerprint, METH_VARARGS, NULL},
    {"fields", (PyCFunction)games_fields, METH_VARARGS, NULL},
    {"seed", (PyCFunction)games_seed, METH_VARARGS, NULL},
    {"sample_into", (PyCFunction)games_sample_into, METH_VARARGS, NULL},
    {"advance", (PyCFunction)games_advance, METH_VARARGS, NULL},
    {"judge_into", (PyCFunction)games_judge_into, METH_VARARGS, NULL},
    {"foretell_into", (PyCFunction)games_foretell_into, METH_VARARGS, NULL},
    {"think_into", (PyCFunction)games_think_into, METH_VARARGS, NULL},
    {"end_age", (PyCFunction)games_end_age, METH_VARARGS, NULL},
    {"take", (PyCFunction)games_take, METH_VARARGS, NULL},
    {"search", (PyCFunction)games_search, METH_VARARGS, NULL},
    {"sizes", (PyCFunction)games_sizes, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
