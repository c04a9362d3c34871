/* A small network that foretells how a game ends, as engine/kernel/foretell.py describes it, and playing by it. */
#include "game.h"
#include <math.h>

enum { OWN = 14, INPUTS = 3 * OWN + 5 + 5 + 1 + 1, HIDDEN = 64 };

typedef struct {
    float w1[INPUTS][HIDDEN], b1[HIDDEN], w2[HIDDEN], b2;
} Network;

/* A seat's points now, and a share of those to come: the warlord's judgement. */
static inline float prospects(const int32_t own[FEATURES])
{
    float left = (float)(LAST_AGE - own[14]), unused = left + (own[15] == CHOOSING ? 2.0f : 1.0f);
    return (float)(own[0] + own[1]) + 0.5f * left * (float)own[2] / unused + 2.0f * (float)own[6];
}

static void network_inputs(const int32_t *seen, int n, int seat, float out[INPUTS])
{
    static const float scale[OWN] = {100, 30, 60, 30, 15, 5, 8, 20, 15, 3, 8, 20, 2, 10};
    const int32_t *own = seen + seat * FEATURES;
    float total = 0, mine = prospects(own);
    for (int k = 0; k < OWN; k++) {
        int32_t sum = 0, most = INT32_MIN;
        for (int other = 0; other < n; other++) {
            int32_t value = seen[other * FEATURES + k];
            sum += other == seat ? 0 : value;
            most = other != seat && value > most ? value : most;
        }
        out[k] = (float)own[k] / scale[k];
        out[OWN + k] = ((float)own[k] - (float)sum / (float)(n - 1)) / scale[k];
        out[2 * OWN + k] = (float)most / scale[k];
    }
    for (int other = 0; other < n; other++)
        total += other == seat ? 0 : prospects(seen + other * FEATURES);
    memset(out + 3 * OWN, 0, sizeof *out * 10);
    out[3 * OWN + own[14] - 1] = 1;
    out[3 * OWN + 5 + own[15]] = 1;
    out[INPUTS - 2] = (float)own[16];
    out[INPUTS - 1] = (mine - total / (float)(n - 1)) / 25.0f;
}

static float foretell(const Network *net, const float in[INPUTS])
{
    float hidden[HIDDEN], answer = net->b2 + in[INPUTS - 1];
    memcpy(hidden, net->b1, sizeof hidden);
    for (int i = 0; i < INPUTS; i++)
        if (in[i] != 0)
            for (int k = 0; k < HIDDEN; k++)
                hidden[k] += in[i] * net->w1[i][k];
    for (int k = 0; k < HIDDEN; k++)
        answer += hidden[k] > 0 ? hidden[k] * net->w2[k] : 0;
    return tanhf(answer);
}

static float foretell_seat(const Table *b, const Game *g, const Network *net, int seat)
{
    int32_t seen[MOST_SEATS * FEATURES];
    float in[INPUTS];
    judge(b, g, seen);
    network_inputs(seen, g->seats, seat, in);
    return foretell(net, in);
}

static void foretell_all(const Table *b, const Game *g, const Network *net, float out[MOST_SEATS])
{
    int32_t seen[MOST_SEATS * FEATURES];
    float in[INPUTS];
    judge(b, g, seen);
    for (int seat = 0; seat < g->seats; seat++) {
        network_inputs(seen, g->seats, seat, in);
        out[seat] = foretell(net, in);
    }
}

/* Deal anew what a seat cannot know: the cards that lie face down, the others' hands, the deck. */
static void hide(const Table *b, Game *g, int seat, uint64_t seed)
{
    uint8_t hand_sizes[MOST_SEATS] = {0};
    for (int other = 0; other < g->seats; other++) {
        for (int kind = 0; kind < KINDS; kind++)
            hand_sizes[other] += g->hands[other][kind];
        if (other != seat && g->phase <= DEVELOPMENT && g->power[other])
            g->used[other] &= (uint8_t)~(1 << (g->power[other] - 4));
    }
    fill_in(b, g, seat, hand_sizes, seed);
}

/* The action after which the network foretells most for the acting seat, on average over some worlds that it cannot
 * tell apart; in `explore` of a million cases any. `seen`: the inputs after it in the last world. -1: none. */
static int think(const Table *b, const Game *g, const Network *net, int worlds, int explore, uint64_t luck, float *seen)
{
    uint16_t legal[MOST_LEGAL];
    float totals[MOST_LEGAL] = {0};
    int count = legal_actions(b, g, legal), best = 0, seat = g->actor;
    Game world = *g;
    for (int k = 0; count > 0 && k < worlds; k++) {
        world = *g;
        hide(b, &world, seat, next_random(&luck));
        for (int i = 0; i < count; i++) {
            Game after = world;
            perform(b, &after, legal[i]);
            totals[i] += foretell_seat(b, &after, net, seat);
        }
    }
    for (int i = 1; i < count; i++)
        best = totals[i] > totals[best] ? i : best;
    if (count > 0 && random_below(&luck, 1000000) < explore)
        best = random_below(&luck, count);
    if (count > 0 && seen) {
        int32_t numbers[MOST_SEATS * FEATURES];
        perform(b, &world, legal[best]);
        judge(b, &world, numbers);
        network_inputs(numbers, g->seats, seat, seen);
    }
    return count > 0 ? legal[best] : -1;
}
