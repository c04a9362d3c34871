/* Information-set Monte Carlo tree search, as aztlan/house/tree.py describes it, with the judgement of `lead`. */
#include "game.h"
#include <math.h>

enum { ROOT = 12, WIDTH = 6, LOOKS = 8, DEEPEST = 64 };
#define TRUST 20.0f
#define MUCH 50.0f

typedef struct {
    float total, first_sight;
    int32_t visits, available, first_child;
    uint16_t action;
    uint8_t children;
    int8_t seat;
} Node;

typedef struct {
    Node *nodes;
    int count, room, open_after;
    float curiosity;
    const Network *network;  /* or NULL: `lead` judges */
    int seat;  /* whose search it is */
} Tree;

/* The lead of each seat over the others' mean, in points now and to come as the warlord counts; MUCH is 1. */
static void lead(const Table *b, const Game *g, float out[MOST_SEATS])
{
    int32_t seen[MOST_SEATS * FEATURES];
    float worth[MOST_SEATS], total = 0;
    judge(b, g, seen);
    for (int seat = 0; seat < g->seats; seat++)
        total += worth[seat] = prospects(seen + seat * FEATURES);
    for (int seat = 0; seat < g->seats; seat++)
        out[seat] = (worth[seat] - (total - worth[seat]) / (float)(g->seats - 1)) / MUCH;
}

static float first_sight(const Table *b, const Tree *tree, const Game *g, int seat)
{
    float values[MOST_SEATS];
    if (tree->network)
        return foretell_seat(b, g, tree->network, seat);
    lead(b, g, values);
    return values[seat];
}

/* Give a node its children: the few actions that look best at first sight, on average over these worlds. Return 0 where
 * there is no room. */
static int open_node(const Table *b, Tree *tree, int at, const Game *worlds, int looks)
{
    uint16_t legal[MOST_LEGAL];
    Node best[ROOT];
    int count = legal_actions(b, worlds, legal), kept = 0, width = at ? WIDTH : ROOT;
    if (!count || tree->count + width > tree->room)
        return 0;
    for (int i = 0; i < count; i++) {
        Node fresh = {.first_sight = 0, .action = legal[i], .seat = -1};
        for (int k = 0; k < looks; k++) {
            Game after = worlds[k];
            perform(b, &after, legal[i]);
            fresh.first_sight += first_sight(b, tree, &after, worlds->actor) / (float)looks;
        }
        int place = kept < width ? kept++ : width;
        for (; place > 0 && best[place - 1].first_sight < fresh.first_sight; place--)
            if (place < width)
                best[place] = best[place - 1];
        if (place < width)
            best[place] = fresh;
    }
    tree->nodes[at].first_child = tree->count;
    tree->nodes[at].children = (uint8_t)kept;
    tree->nodes[at].seat = worlds->actor;
    memcpy(tree->nodes + tree->count, best, sizeof *best * (size_t)kept);
    tree->count += kept;
    return 1;
}

/* The most appealing child that this world allows, by UCB1 over the times it was available; -1 if there is none. */
static int select_child(const Table *b, Tree *tree, int at, const Game *g)
{
    const Node *node = tree->nodes + at;
    int best = -1;
    float most = -1e9f;
    for (int i = node->first_child; i < node->first_child + node->children; i++) {
        Node *child = tree->nodes + i;
        if (refuse(b, g, child->action))
            continue;
        child->available++;
        float tries = (float)child->visits + TRUST;
        float appeal = (child->total + TRUST * child->first_sight) / tries +
                       tree->curiosity * sqrtf(logf((float)child->available + 1) / tries);
        if (appeal > most) {
            most = appeal;
            best = i;
        }
    }
    return best;
}

/* All choose power cards at once, so nobody can answer a choice: whoever else is to choose takes any card. */
static void let_others_choose(const Table *b, const Tree *tree, Game *world, uint64_t *luck)
{
    while (world->phase == CHOOSING && world->actor != tree->seat)
        perform(b, world, pick(b, world, (uint32_t)(next_random(luck) >> 32)));
}

/* One simulation that begins with this child of the root, in this world, which is played on. */
static void simulate(const Table *b, Tree *tree, Game *world, int first, uint64_t luck)
{
    int path[DEEPEST] = {0, first}, depth = 1, age = world->age;
    float values[MOST_SEATS];
    for (int next = first; next >= 0;) {
        perform(b, world, tree->nodes[next].action);
        path[depth++] = next;
        next = -1;
        if (world->age == age)
            let_others_choose(b, tree, world, &luck);
        if (depth == DEEPEST || world->age != age || world->phase == OVER)
            break;
        Node *node = tree->nodes + path[depth - 1];
        if (node->children || (node->visits >= tree->open_after && open_node(b, tree, path[depth - 1], world, 1)))
            next = select_child(b, tree, path[depth - 1], world);
    }
    if (world->age == age)
        end_age(b, world, luck);
    if (tree->network)
        foretell_all(b, world, tree->network, values);
    else
        lead(b, world, values);
    for (int i = 1; i < depth; i++) {
        tree->nodes[path[i]].visits++;
        tree->nodes[path[i]].total += values[tree->nodes[path[i - 1]].seat];
    }
}

/* Open the root. What one world shows as best may be worst in most: the others' cards lie face down. Return 0 if no deal
 * fits what the seat knows. */
static int open_root(const Table *b, Tree *tree, const Game *known, const uint8_t hand_sizes[MOST_SEATS], uint64_t luck)
{
    Game worlds[LOOKS];
    for (int k = 0; k < LOOKS; k++) {
        worlds[k] = *known;
        if (!fill_in(b, worlds + k, tree->seat, hand_sizes, next_random(&luck)))
            return 0;
        let_others_choose(b, tree, worlds + k, &luck);
    }
    open_node(b, tree, 0, worlds, LOOKS);
    return 1;
}

/* Simulate each of the root's children that `among` marks, in this world and with the same luck: what differs is then
 * owed to the action, and far fewer simulations tell two actions apart. */
static void simulate_rivals(const Table *b, Tree *tree, Game *world, uint32_t among, uint64_t luck)
{
    let_others_choose(b, tree, world, &luck);
    for (int i = 0; i < tree->nodes[0].children; i++) {
        int child = tree->nodes[0].first_child + i;
        Game copy = *world;
        if (among >> i & 1 && !refuse(b, world, tree->nodes[child].action))
            simulate(b, tree, &copy, child, luck);
    }
}
