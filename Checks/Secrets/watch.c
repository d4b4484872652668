/* Preloaded into a process, this library searches the process's memory for secrets at its end.

   At its end, the process stops and writes "end" to one descriptor. From another one it reads the needles: a count, an
   unsigned integer of 32 bits, and that many of `struct needle`. Then it searches all of its memory except unchanged
   pages of files, and writes a line for each find, and a last line "searched BYTES". Processes that it starts are not
   searched: they inherit neither the descriptors nor the library.

   Until then, nothing is freed: a secret that was not wiped stays to be found, and no other allocation overwrites it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <ucontext.h>
#include <unistd.h>

#include "needles.h"

/* The search's own stack and text, so that it does not overwrite what the process left on its stack. */
static struct {
    ucontext_t process, search;
    char stack[1 << 16], text[1 << 20];
} *own;

static int reports = -1, orders = -1;

__attribute__((constructor)) static void begin(void) {
    const char *watch = getenv("WATCH");
    if (!watch || sscanf(watch, "%d,%d", &reports, &orders) != 2) return;
    fcntl(reports, F_SETFD, FD_CLOEXEC);
    fcntl(orders, F_SETFD, FD_CLOEXEC);
    unsetenv("WATCH");
    unsetenv("LD_PRELOAD");
    own = mmap(NULL, sizeof *own, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED) own = NULL;
}

void free(void *memory) { (void)memory; }

void *realloc(void *old, size_t size) {
    void *new = malloc(size);
    size_t old_size = old ? malloc_usable_size(old) : 0;
    if (new && old) memcpy(new, old, old_size < size ? old_size : size);
    return new;
}

static size_t read_whole(int file, void *bytes, size_t count) {
    size_t done = 0;
    for (ssize_t more; done < count && (more = read(file, (char *)bytes + done, count - done)) > 0; done += more) {}
    return done;
}

/* Whether the process may have written to a mapping: the mapping is writable, or is not of a file. */
static int is_searched(const char *permissions, const char *name) {
    if (permissions[0] != 'r' || strncmp(name, "[v", 2) == 0) return 0;
    return permissions[1] == 'w' || name[0] != '/';
}

static void search(const struct needles *needles, const uint8_t *start, size_t size, const char *name) {
    const struct needle *found;
    for (size_t i = 0; (i = needles_find(needles, start, size, i, &found)) < size; i += NEEDLE_SIZE)
        dprintf(reports, "found %u %u %p %s+%zx\n", found->secret, found->form, (void *)(start + i), name, i);
}

/* Searches every mapping except its own. */
static void search_all(const struct needles *needles) {
    uint64_t total = 0;
    int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    own->text[read_whole(file, own->text, sizeof own->text - 1)] = 0;
    close(file);
    for (char *line = strtok(own->text, "\n"); line; line = strtok(NULL, "\n")) {
        uint8_t *start, *end;
        char permissions[5];
        int name = 0;
        if (sscanf(line, "%p-%p %4s %*s %*s %*s %n", (void **)&start, (void **)&end, permissions, &name) != 3) continue;
        const char *path = line[name] ? line + name : "anonymous";
        if ((start <= (uint8_t *)own && (uint8_t *)own < end) || (start <= needles->filter && needles->filter < end)
            || !is_searched(permissions, path)) continue;
        search(needles, start, end - start, path);
        total += end - start;
    }
    dprintf(reports, "searched %" PRIu64 "\n", total);
}

static void answer(void) {
    struct needles needles;
    uint32_t count = 0;
    dprintf(reports, "end\n");
    if (read_whole(orders, &count, sizeof count) != sizeof count || !needles_init(&needles, count)) return;
    if (read_whole(orders, needles.all, count * sizeof *needles.all) != count * sizeof *needles.all) return;
    needles_index(&needles);
    search_all(&needles);
}

__attribute__((destructor)) static void end(void) {
    if (!own) return;
    getcontext(&own->search);
    own->search.uc_stack.ss_sp = own->stack;
    own->search.uc_stack.ss_size = sizeof own->stack;
    own->search.uc_link = &own->process;
    makecontext(&own->search, answer, 0);
    swapcontext(&own->process, &own->search);
    own = NULL;
}

/* Runs before anything else at the end, such as the freeing of memory that is still held. */
void exit(int status) {
    end();
    ((void (*)(int))dlsym(RTLD_NEXT, "exit"))(status);
    __builtin_unreachable();
}

void _exit(int status) {
    end();
    ((void (*)(int))dlsym(RTLD_NEXT, "_exit"))(status);
    __builtin_unreachable();
}
