/* Worlds that an observation allows, as engine/observation.py's determinize fills them in.
 *
 * Chance is a SplitMix64 of the seed, the same that engine/kernel/plain.py gives to `determinize`. */
#include "game.h"

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* A number below n: the high half of a product, which for so small n is as good as even. */
static inline int random_below(uint64_t *state, int n) { return (int)((next_random(state) >> 32) * (uint64_t)n >> 32); }

static void choose_unseen(Game *g, int seat, uint64_t *luck)
{
    for (int other = 0; g->phase <= DEVELOPMENT && other < g->seats; other++) {
        int unused[POWER_CARDS], count = 0;
        if (other == seat || !g->power[other])
            continue;
        for (int i = 0; i < POWER_CARDS; i++)
            if (!(g->used[other] >> i & 1))
                unused[count++] = 4 + i;
        g->power[other] = (uint8_t)unused[random_below(luck, count)];
        g->used[other] |= (uint8_t)(1 << (g->power[other] - 4));
    }
}

static void deal_unseen(Game *g, int seat, const uint8_t hand_sizes[MOST_SEATS], uint64_t *luck)
{
    static const uint8_t in_deck[KINDS] = {3, 3, 3, 9, 3, 3, 3, 3};
    uint8_t unseen[DECK];
    int count = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = in_deck[kind] - (seat >= 0 ? g->hands[seat][kind] : 0) - g->discard[kind]; i > 0; i--)
            unseen[count++] = (uint8_t)kind;
    for (int i = count - 1; i > 0; i--) {
        int j = random_below(luck, i + 1);
        uint8_t kept = unseen[i];
        unseen[i] = unseen[j];
        unseen[j] = kept;
    }
    for (int other = 0; other < g->seats; other++) {
        if (other == seat)
            continue;
        memset(g->hands[other], 0, KINDS);
        for (int i = 0; i < hand_sizes[other]; i++)
            g->hands[other][unseen[--count]]++;
    }
    memset(g->deck, 0, DECK);
    memcpy(g->deck, unseen, (size_t)count);
    g->deck_size = (uint8_t)count;
    g->deck_at = 0;
}

/* Fill in what the seat cannot know. `g` holds what it can; an unseen power card is 1 where one lies face down.
 * Return 0 if no deal gives the acting seat anything to decide. */
static int fill_in(const Table *b, Game *g, int seat, const uint8_t hand_sizes[MOST_SEATS], uint64_t seed)
{
    uint64_t luck = seed;
    uint16_t legal[MOST_LEGAL];
    for (int i = 0; i < 32; i += 8) {
        uint64_t word = next_random(&luck);
        for (int k = 0; k < 8; k++)
            g->seed[i + k] = (uint8_t)(word >> 8 * k);
    }
    choose_unseen(g, seat, &luck);
    if (g->phase == CONFLICT)
        find_strongest(g);
    for (int deals = 0; deals < 10000; deals++) {
        deal_unseen(g, seat, hand_sizes, &luck);
        if (g->phase != SCORING || legal_actions(b, g, legal) > 1)
            return 1;
    }
    return 0;
}
