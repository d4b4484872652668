/* Leaks the secret in a file, in the way that the first argument names. Without arguments it lists the ways; each name
   begins with the place where the secret must be found. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

extern char **environ;
enum { SIZE = 32 };
static unsigned char kept[SIZE];
static const char *file;

static void take(unsigned char *bytes) {
    int descriptor = open(file, O_RDONLY);
    if (read(descriptor, bytes, SIZE) != SIZE) abort();
    close(descriptor);
}

static const char *hex(void) {
    static char text[2 * SIZE + 1];
    unsigned char bytes[SIZE];
    take(bytes);
    for (int i = 0; i < SIZE; i++) sprintf(text + 2 * i, "%02x", bytes[i]);
    explicit_bzero(bytes, SIZE);
    return text;
}

static void *deep(void *unused) {
    unsigned char bytes[20000];
    take(bytes);
    return unused;
}

static void to_file(const char *folder, mode_t mode, int is_removed) {
    char path[4096];
    snprintf(path, sizeof path, "%s/a", folder);
    int descriptor = open(path, O_WRONLY | O_CREAT, mode);
    dprintf(descriptor, "%s", hex());
    close(descriptor);
    if (is_removed) unlink(path);
}

static void start(char *const words[], char *const environment[]) {
    pid_t child;
    if (posix_spawn(&child, "/bin/true", NULL, NULL, words, environment) == 0) waitpid(child, NULL, 0);
}

static void none(void) { unsigned char bytes[SIZE]; take(bytes); explicit_bzero(bytes, SIZE); }
static void memory_static(void) { take(kept); }
static void memory_half(void) { take(kept); memset(kept, 0, SIZE / 2); }
static void memory_backwards(void) {
    unsigned char bytes[SIZE];
    take(bytes);
    for (int i = 0; i < SIZE; i++) kept[i] = bytes[SIZE - 1 - i];
    explicit_bzero(bytes, SIZE);
}
static void memory_stack(void) { deep(NULL); }
static void memory_heap(void) { unsigned char *bytes = malloc(SIZE + 64); take(bytes + 64); free(bytes); }
static void memory_grown(void) {
    unsigned char *bytes = malloc(SIZE);
    take(bytes);
    bytes = realloc(bytes, 1 << 16);
    explicit_bzero(bytes, SIZE);
}
static void memory_large(void) { take((unsigned char *)malloc(1 << 22) + 100000); }
static void memory_thread(void) { pthread_t one; pthread_create(&one, NULL, deep, NULL); pthread_join(one, NULL); }
static void memory_guarded(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    take(page);
    mprotect(page, 4096, PROT_READ);
}
static void memory_text(void) { memcpy(kept, hex(), SIZE); explicit_bzero((char *)hex(), 2 * SIZE); }
static void memory_end(void) { take(kept); _exit(0); }
static void memory_signal(void) { raise(SIGKILL); }
static void stdout_hex(void) { puts(hex()); }
static void stderr_hex(void) { fputs(hex(), stderr); }
static void write_parts(void) {
    struct iovec parts[] = {{(void *)"a", 1}, {(void *)hex(), 2 * SIZE}};
    int descriptor = open("a", O_RDWR | O_CREAT, 0600);
    if (writev(descriptor, parts, 2) < 0) abort();
    unlink("a");
}
static void write_removed(void) { to_file(".", 0600, 1); }
static void write_pipe(void) { int ends[2]; if (pipe(ends) == 0 && write(ends[1], hex(), 2 * SIZE) < 0) abort(); }
static void file_work(void) { to_file(".", 0600, 0); }
static void file_temporary(void) { to_file(getenv("TMPDIR"), 0600, 0); }
static void file_home(void) { to_file(getenv("HOME"), 0600, 0); }
static void file_mode(void) { chmod(file, 0640); }
static void file_left(void) { close(open(".out.0123456789abcdef.tmp", O_WRONLY | O_CREAT, 0600)); }
static void call_elsewhere(void) { close(open("/dev/shm/a", O_WRONLY | O_CREAT | O_EXCL, 0600)); unlink("/dev/shm/a"); }
static void call_syslog(void) { syslog(LOG_INFO, "%s", hex()); }
static void call_socket(void) { int ends[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, ends); }
static void call_shared(void) {
    int descriptor = open("a", O_RDWR | O_CREAT, 0600);
    if (ftruncate(descriptor, 4096)) abort();
    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
}
static void start_argument(void) { start((char *[]){"true", (char *)hex(), NULL}, environ); }
static void start_environment(void) { start((char *[]){"true", NULL}, (char *[]){(char *)hex(), NULL}); }

#define WAY(place, way) {#place "-" #way, place##_##way}
static const struct { const char *name; void (*leak)(void); } ways[] = {
    {"none", none}, WAY(memory, static), WAY(memory, half), WAY(memory, backwards), WAY(memory, stack),
    WAY(memory, heap), WAY(memory, grown), WAY(memory, large), WAY(memory, thread), WAY(memory, guarded),
    WAY(memory, text), WAY(memory, end),
    WAY(memory, signal), WAY(stdout, hex), WAY(stderr, hex), WAY(write, parts), WAY(write, removed), WAY(write, pipe),
    WAY(file, work), WAY(file, temporary), WAY(file, home), WAY(file, mode), WAY(file, left), WAY(call, elsewhere),
    WAY(call, syslog), WAY(call, socket), WAY(call, shared), WAY(start, argument), WAY(start, environment),
};

int main(int count, char **words) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (count < 3) puts(ways[i].name);
        else if (strcmp(words[1], ways[i].name) == 0) { file = words[2]; ways[i].leak(); }
    }
}
