/* Chance from the 32-byte seed, as engine/randomness.py derives it: SHA-256(seed + label + n) as words. */
#include "game.h"

static const uint32_t SHA_K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotate(uint32_t x, int by) { return x >> by | x << (32 - by); }

/* SHA-256 of at most 55 bytes, which are one block: all that seeds and labels ever need. */
static void sha256_block(const uint8_t *data, int length, uint32_t digest[8])
{
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint8_t block[64] = {0};
    uint32_t w[64];
    memcpy(block, data, length);
    block[length] = 0x80;
    block[62] = (uint8_t)(length * 8 >> 8);
    block[63] = (uint8_t)(length * 8);
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    uint32_t a = first[0], b = first[1], c = first[2], d = first[3];
    uint32_t e = first[4], f = first[5], g = first[6], h = first[7];
    for (int i = 0; i < 64; i++) {
        uint32_t one = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + SHA_K[i] + w[i];
        uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + one;
        d = c, c = b, b = a, a = one + two;
    }
    uint32_t last[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++)
        digest[i] = first[i] + last[i];
}

typedef struct {
    uint8_t prefix[52];
    int length, left;
    uint32_t block, words[8];
} Stream;

static Stream open_stream(const uint8_t seed[32], const char *label)
{
    Stream stream = {.length = 32 + (int)strlen(label)};
    memcpy(stream.prefix, seed, 32);
    memcpy(stream.prefix + 32, label, strlen(label));
    return stream;
}

static uint32_t next_word(Stream *stream)
{
    if (!stream->left) {
        for (int i = 0; i < 4; i++)
            stream->prefix[stream->length + i] = (uint8_t)(stream->block >> (24 - 8 * i));
        sha256_block(stream->prefix, stream->length + 4, stream->words);
        stream->block++;
        stream->left = 8;
    }
    return stream->words[8 - stream->left--];
}

static uint32_t below(Stream *stream, uint32_t n)
{
    uint64_t limit = (1ull << 32) - (1ull << 32) % n;
    uint32_t word = next_word(stream);
    while (word >= limit)
        word = next_word(stream);
    return word % n;
}

static void shuffle(Stream *stream, uint8_t *items, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int j = (int)below(stream, (uint32_t)i + 1);
        uint8_t kept = items[i];
        items[i] = items[j];
        items[j] = kept;
    }
}

/* The seed of the game that follows one of this seed in a vector environment: SHA-256 of the seed. */
static void next_seed(uint8_t seed[32])
{
    uint32_t digest[8];
    sha256_block(seed, 32, digest);
    for (int i = 0; i < 32; i++)
        seed[i] = (uint8_t)(digest[i / 4] >> (24 - 8 * (i % 4)));
}

/* The 32-bit xorshift of State.playout. */
static inline uint32_t first_luck(uint64_t seed)
{
    uint32_t x = (uint32_t)(seed * 2654435761u + 1);
    return x ? x : 1;
}

static inline uint32_t next_luck(uint32_t x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}
