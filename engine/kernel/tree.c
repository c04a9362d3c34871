/* Information-set Monte Carlo tree search, as aztlan/house/tree.py describes it, with the judgement of `lead`. */
#include "game.h"
#include <math.h>

enum { WIDTH = 6, OPEN_AFTER = 8, DEEPEST = 64 };
#define TRUST 2.0f
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
    int count, room;
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

/* Give a node its children: the few actions that look best at first sight. Return 0 where there is no room. */
static int open_node(const Table *b, Tree *tree, int at, const Game *g)
{
    uint16_t legal[MOST_LEGAL];
    Node best[WIDTH];
    int count = legal_actions(b, g, legal), kept = 0;
    if (!count || tree->count + WIDTH > tree->room)
        return 0;
    for (int i = 0; i < count; i++) {
        Game after = *g;
        perform(b, &after, legal[i]);
        Node fresh = {.first_sight = first_sight(b, tree, &after, g->actor), .action = legal[i], .seat = -1};
        int place = kept < WIDTH ? kept++ : WIDTH;
        for (; place > 0 && best[place - 1].first_sight < fresh.first_sight; place--)
            if (place < WIDTH)
                best[place] = best[place - 1];
        if (place < WIDTH)
            best[place] = fresh;
    }
    tree->nodes[at].first_child = tree->count;
    tree->nodes[at].children = (uint8_t)kept;
    tree->nodes[at].seat = g->actor;
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

/* One simulation in this world, which is played on. */
static void simulate(const Table *b, Tree *tree, Game *world, uint64_t luck)
{
    int path[DEEPEST], depth = 1, age = world->age;
    float values[MOST_SEATS];
    path[0] = 0;
    tree->nodes[0].visits++;
    while (depth < DEEPEST && world->age == age && world->phase != OVER) {
        if (world->phase == CHOOSING && world->actor != tree->seat) {  /* at once, so nobody can answer a choice */
            perform(b, world, pick(b, world, (uint32_t)(next_random(&luck) >> 32)));
            continue;
        }
        int at = path[depth - 1];
        if (!tree->nodes[at].children && at && tree->nodes[at].visits < OPEN_AFTER)
            break;
        if (!tree->nodes[at].children && !open_node(b, tree, at, world))
            break;
        int next = select_child(b, tree, at, world);
        if (next < 0)
            break;
        perform(b, world, tree->nodes[next].action);
        tree->nodes[next].visits++;
        path[depth++] = next;
    }
    if (world->age == age)
        end_age(b, world, luck);
    if (tree->network)
        foretell_all(b, world, tree->network, values);
    else
        lead(b, world, values);
    for (int i = 1; i < depth; i++)
        tree->nodes[path[i]].total += values[tree->nodes[path[i - 1]].seat];
}
