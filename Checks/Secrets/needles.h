/* Searches bytes for any of many needles of 16 bytes, at every place. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { NEEDLE_SIZE = 16, FILTER_BITS = 22 };

/* A needle as Python writes it: the number of its secret, the number of its form, and the bytes. */
struct needle {
    uint16_t secret, form;
    uint8_t bytes[NEEDLE_SIZE];
};

/* The needles, in pages of their own that are not searched. A slot of the hash table has the needle's number plus 1. */
struct needles {
    size_t count, slot_count, size;
    struct needle *all;
    uint32_t *slots;
    uint8_t *filter;
};

static inline uint64_t needle_hash(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return (word ^ word >> 29) * 0x9e3779b97f4a7c15u;
}

/* Allocates pages for a number of needles, which the caller fills in and indexes; 0 if there is no memory. */
static int needles_init(struct needles *self, size_t count) {
    self->count = count;
    for (self->slot_count = 64; self->slot_count < 2 * count; self->slot_count *= 2) {}
    size_t filter_size = (1u << FILTER_BITS) / 8;
    self->size = filter_size + self->slot_count * sizeof *self->slots + count * sizeof *self->all;
    uint8_t *pages = mmap(NULL, self->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return 0;
    self->filter = pages;
    self->slots = (uint32_t *)(pages + filter_size);
    self->all = (struct needle *)(self->slots + self->slot_count);
    return 1;
}

static void needles_index(struct needles *self) {
    for (size_t i = 0; i < self->count; i++) {
        uint64_t hash = needle_hash(self->all[i].bytes), bit = hash >> (64 - FILTER_BITS);
        self->filter[bit / 8] |= 1u << bit % 8;
        size_t slot = hash % self->slot_count;
        while (self->slots[slot]) slot = (slot + 1) % self->slot_count;
        self->slots[slot] = (uint32_t)i + 1;
    }
}

/* The first place of a needle from `from` on, and the needle; `count` if there is none. */
static size_t needles_find(const struct needles *self, const uint8_t *bytes, size_t count, size_t from,
                           const struct needle **found) {
    for (size_t i = from; i + NEEDLE_SIZE <= count; i++) {
        uint64_t hash = needle_hash(bytes + i), bit = hash >> (64 - FILTER_BITS);
        if (!(self->filter[bit / 8] >> bit % 8 & 1)) continue;
        for (size_t slot = hash % self->slot_count; self->slots[slot]; slot = (slot + 1) % self->slot_count) {
            *found = &self->all[self->slots[slot] - 1];
            if (memcmp((*found)->bytes, bytes + i, NEEDLE_SIZE) == 0) return i;
        }
    }
    return count;
}
