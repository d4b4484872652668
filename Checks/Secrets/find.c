/* The same search, for bytes in Python. */
#include "needles.h"

static struct needles needles;

int find_prepare(const struct needle *all, size_t count) {
    if (needles.filter) munmap(needles.filter, needles.size);
    if (!needles_init(&needles, count)) return 0;
    memcpy(needles.all, all, count * sizeof *all);
    needles_index(&needles);
    return 1;
}

/* The needle that is first in the bytes from `from` on, or -1; *place is where. */
long find_next(const uint8_t *bytes, size_t count, size_t from, size_t *place) {
    const struct needle *found;
    *place = needles_find(&needles, bytes, count, from, &found);
    return *place < count ? found - needles.all : -1;
}
