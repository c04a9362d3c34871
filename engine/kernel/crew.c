/* `Crew`: threads that share a loop over games. To wake a thread that sleeps takes longer than a step of a thousand games,
 * most of all on a virtual machine, so a helper looks for more work for some 50 microseconds before it sleeps.
 *
 * A loop is split into pieces, more than there are threads, and each thread takes them from a place of its own on, so that
 * it mostly meets the same games again. Whoever asks takes pieces too: a helper that does not get a processor costs
 * nothing. A piece holds the number of the last call that it was taken in, so a late helper finds nothing to take. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

enum { MOST_THREADS = 64, PIECES = 4, MOST_PIECES = PIECES * MOST_THREADS, GLANCES = 4000 };

typedef struct Crew Crew;

typedef struct {
    Crew *crew;
    pthread_t thread;
    int first;
} Helper;

struct Crew {
    PyObject_HEAD
    pthread_mutex_t lock;
    pthread_cond_t called;
    Helper helpers[MOST_THREADS];
    void (*work)(void *job, int piece);
    void *job;
    pid_t owner;
    int count, pieces, stop, left, busy;
    unsigned calls, taken[MOST_PIECES];
};

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static unsigned await_call(Crew *crew, unsigned seen)
{
    unsigned calls = seen;
    for (int i = 0; i < GLANCES; i++) {
        if ((calls = __atomic_load_n(&crew->calls, __ATOMIC_ACQUIRE)) != seen)
            return calls;
        pause_briefly();
    }
    pthread_mutex_lock(&crew->lock);
    while ((calls = __atomic_load_n(&crew->calls, __ATOMIC_ACQUIRE)) == seen)
        pthread_cond_wait(&crew->called, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
    return calls;
}

static void take_pieces(Crew *crew, unsigned call, int first)
{
    for (int i = 0; i < crew->pieces; i++) {
        int piece = (first + i) % crew->pieces;
        unsigned before = call - 1;
        if (__atomic_load_n(crew->taken + piece, __ATOMIC_RELAXED) == before &&
            __atomic_compare_exchange_n(crew->taken + piece, &before, call, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            crew->work(crew->job, piece);
            __atomic_sub_fetch(&crew->left, 1, __ATOMIC_RELEASE);
        }
    }
}

static void *serve(void *given)
{
    Helper *helper = given;
    for (unsigned seen = 0;;) {
        seen = await_call(helper->crew, seen);
        if (__atomic_load_n(&helper->crew->stop, __ATOMIC_ACQUIRE))
            return NULL;
        take_pieces(helper->crew, seen, helper->first);
    }
}

static void call_helpers(Crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    __atomic_add_fetch(&crew->calls, 1, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&crew->called);
    pthread_mutex_unlock(&crew->lock);
}

/* Into how many pieces a loop is split. After a fork the helpers are not there. */
static int pieces_for(const Crew *crew) { return crew && crew->count && crew->owner == getpid() ? crew->pieces : 1; }

/* Do every piece of the work; all on this thread if the crew is at work for another. */
static void share(Crew *crew, int pieces, void (*work)(void *job, int piece), void *job)
{
    if (pieces == 1 || __atomic_exchange_n(&crew->busy, 1, __ATOMIC_ACQUIRE)) {
        for (int piece = 0; piece < pieces; piece++)
            work(job, piece);
        return;
    }
    crew->work = work;
    crew->job = job;
    __atomic_store_n(&crew->left, crew->pieces, __ATOMIC_RELAXED);
    call_helpers(crew);
    take_pieces(crew, crew->calls, 0);
    for (int i = 0; __atomic_load_n(&crew->left, __ATOMIC_ACQUIRE); i++)
        if (i < GLANCES)
            pause_briefly();
        else
            sched_yield();
    __atomic_store_n(&crew->busy, 0, __ATOMIC_RELEASE);
}

static PyObject *crew_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    int threads;
    sigset_t all, before;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "i", &threads))
        return NULL;
    if (threads < 1)
        return PyErr_Format(PyExc_ValueError, "%d threads: 1 or more are needed", threads);
    Crew *self = (Crew *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->called, NULL);
    self->owner = getpid();
    sigfillset(&all);
    self->pieces = PIECES * (threads < MOST_THREADS ? threads : MOST_THREADS);
    pthread_sigmask(SIG_SETMASK, &all, &before);  /* signals are Python's, and it hears them on its own threads */
    while (self->count + 1 < threads && self->count + 1 < MOST_THREADS) {
        Helper *helper = self->helpers + self->count;
        helper->crew = self;
        helper->first = PIECES * (self->count + 1);
        if (pthread_create(&helper->thread, NULL, serve, helper))
            break;
        self->count++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return (PyObject *)self;
}

static void crew_free(Crew *self)
{
    if (self->owner == getpid()) {
        __atomic_store_n(&self->stop, 1, __ATOMIC_RELEASE);
        call_helpers(self);
        for (int i = 0; i < self->count; i++)
            pthread_join(self->helpers[i].thread, NULL);
        pthread_cond_destroy(&self->called);
        pthread_mutex_destroy(&self->lock);
    }
    Py_TYPE(self)->tp_free(self);
}
