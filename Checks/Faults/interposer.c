// Numbers and lists the calls that a process makes in a folder, and makes one of them fail.
//
// Loaded by LD_PRELOAD. FAULTS_IN is the folder, without links in its path; its new name counts too if it is renamed.
// FAULTS_LIST is a file elsewhere, with a line for each call: its number, name and path, and "!" if it is the one that
// fails. FAULTS_AT is that call's number, and FAULTS_DO says how it fails:
//
//   fail E      the call fails with the error number E, once
//   stay E      so do all later calls that a full (ENOSPC, EDQUOT), read-only (EROFS) or dead disk (any other)
//               refuses
//   short N     a write takes only N bytes, or half of them if N is 0
//   cut N       the same, and the next write finds the disk full
//   kill        the process is killed before the call; kill-after: after it; kill-in: when half is written
//   move        the folder has another name before the call, ".moved" behind its own; remove: it is gone, with all
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// What a call does to the disk, which decides the faults that refuse it.
enum { LOOKS = 1, TAKES_ROOM = 2, CHANGES = 4 };

static const char *folder, *action;
static char word[16];
static int number, list_file = -1, at;
static atomic_int count, is_staying, is_cut;

__attribute__((constructor)) static void begin(void) {
  folder = getenv("FAULTS_IN");
  const char *list = getenv("FAULTS_LIST"), *place = getenv("FAULTS_AT");
  action = getenv("FAULTS_DO");
  if (!folder || !list) return;
  at = place ? atoi(place) : 0;
  if (action) sscanf(action, "%15s %d", word, &number);
  list_file = syscall(SYS_openat, AT_FDCWD, list, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

// Finds the path of a name in an open folder, or of an open file, and returns whether it is in the folder.
static int is_inside(int file, const char *name, char path[PATH_MAX]) {
  char link[64];
  ssize_t length = 0;
  if (!folder) return 0;
  if (!name || name[0] != '/') {
    if (file == AT_FDCWD) strcpy(link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    if (name) path[length++] = '/';
  }
  path[length] = 0;
  if (name) strncat(path, name, PATH_MAX - 1 - length);
  return strncmp(path, folder, strlen(folder)) == 0;
}

static void end_process(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

static int removed(const char *path, const struct stat *s, int flag, struct FTW *f) { return remove(path); }

static void do_to_folder(void) {
  char moved[PATH_MAX];
  snprintf(moved, sizeof moved, "%s.moved", folder);
  if (!strcmp(word, "move")) syscall(SYS_renameat2, AT_FDCWD, folder, AT_FDCWD, moved, 0);
  if (!strcmp(word, "remove")) nftw(folder, removed, 8, FTW_DEPTH | FTW_PHYS);
}

static int is_refused(int kind) {
  if (number == ENOSPC || number == EDQUOT) return kind & TAKES_ROOM;
  return number == EROFS ? kind & (TAKES_ROOM | CHANGES) : 1;
}

// Counts a call, and returns whether it fails, with errno set. `size` is reduced if only some bytes are to be written,
// and `is_last` says that the process ends after the call.
static int fails(const char *call, int kind, int file, const char *name, size_t *size, int *is_last) {
  char path[PATH_MAX], line[PATH_MAX + 64];
  int old = errno;
  if (list_file < 0 || !is_inside(file, name, path)) return 0;
  int mine = atomic_fetch_add(&count, 1) + 1;
  int length = snprintf(line, sizeof line, "%d %s %s%s\n", mine, call, path + strlen(folder), mine == at ? " !" : "");
  syscall(SYS_write, list_file, line, (size_t)length);
  errno = old;
  if (size && atomic_exchange(&is_cut, 0)) return errno = ENOSPC, 1;
  if (mine == at && action) {
    do_to_folder();
    if (!strcmp(word, "kill")) end_process();
    *is_last = !strcmp(word, "kill-after") || !strcmp(word, "kill-in");
    int is_part = !strcmp(word, "cut") || !strcmp(word, "short") || !strcmp(word, "kill-in");
    if (size && is_part) {
      *size = number && (size_t)number < *size ? (size_t)number : (*size + 1) / 2;
      is_cut = !strcmp(word, "cut");
    }
    if (!strcmp(word, "fail")) return errno = number, 1;
    if (!strcmp(word, "stay")) is_staying = 1;
  }
  if (is_staying && is_refused(kind)) return errno = number, 1;
  errno = old;
  return 0;
}

// Wraps a call of the system's library; `kind` may use the arguments.
#define CALL(result, name, parameters, arguments, kind, file, path, size)      \
  result name parameters {                                                     \
    static result (*next) parameters;                                          \
    if (!next) next = (result (*) parameters)dlsym(RTLD_NEXT, #name);          \
    int is_last = 0;                                                           \
    if (fails(#name, kind, file, path, size, &is_last)) return (result)-1;     \
    result value = next arguments;                                             \
    if (is_last) end_process();                                                \
    return value;                                                              \
  }

// Wraps a call that opens a file; it is listed under another name if it makes the file.
#define OPEN(name, first, first_argument, file)                                                  \
  int name(first const char *path, int flags, ...) {                                             \
    static int (*next)(first const char *, int, mode_t);                                         \
    if (!next) next = (int (*)(first const char *, int, mode_t))dlsym(RTLD_NEXT, #name);         \
    va_list rest;                                                                                \
    va_start(rest, flags);                                                                       \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                                    \
    va_end(rest);                                                                                \
    int is_last = 0, makes = flags & O_CREAT, changes = flags & (O_WRONLY | O_RDWR);             \
    int kind = makes ? TAKES_ROOM : changes ? CHANGES : LOOKS;                                   \
    if (fails(makes ? "create" : "open", kind, file, path, NULL, &is_last)) return -1;           \
    int value = next(first_argument path, flags, mode);                                          \
    if (is_last) end_process();                                                                  \
    return value;                                                                                \
  }

#define COMMA ,
OPEN(open, , , AT_FDCWD)
OPEN(open64, , , AT_FDCWD)
OPEN(openat, int at_folder COMMA, at_folder COMMA, at_folder)
OPEN(openat64, int at_folder COMMA, at_folder COMMA, at_folder)
CALL(ssize_t, read, (int f, void *b, size_t n), (f, b, n), LOOKS, f, NULL, NULL)
CALL(ssize_t, write, (int f, const void *b, size_t n), (f, b, n), TAKES_ROOM, f, NULL, &n)
CALL(int, ftruncate, (int f, off_t n), (f, n), CHANGES, f, NULL, NULL)
CALL(int, fsync, (int f), (f), LOOKS, f, NULL, NULL)
CALL(int, fchmod, (int f, mode_t m), (f, m), CHANGES, f, NULL, NULL)
CALL(int, flock, (int f, int o), (f, o), LOOKS, f, NULL, NULL)
CALL(int, fstat, (int f, struct stat *s), (f, s), LOOKS, f, NULL, NULL)
CALL(int, stat, (const char *p, struct stat *s), (p, s), LOOKS, AT_FDCWD, p, NULL)
CALL(int, lstat, (const char *p, struct stat *s), (p, s), LOOKS, AT_FDCWD, p, NULL)
CALL(int, fstatat, (int d, const char *p, struct stat *s, int o), (d, p, s, o), LOOKS, d, p, NULL)
CALL(int, faccessat, (int d, const char *p, int m, int o), (d, p, m, o), CHANGES, d, p, NULL)
CALL(int, mkdir, (const char *p, mode_t m), (p, m), TAKES_ROOM, AT_FDCWD, p, NULL)
CALL(int, unlink, (const char *p), (p), CHANGES, AT_FDCWD, p, NULL)
CALL(int, rmdir, (const char *p), (p), CHANGES, AT_FDCWD, p, NULL)
CALL(int, unlinkat, (int d, const char *p, int o), (d, p, o), CHANGES, d, p, NULL)
CALL(int, renameat, (int d, const char *p, int e, const char *q), (d, p, e, q), CHANGES, d, p, NULL)
CALL(int, linkat, (int d, const char *p, int e, const char *q, int o), (d, p, e, q, o), TAKES_ROOM, d, p, NULL)

// A file is closed even if `close` reports an error.
int close(int file) {
  int is_last = 0, has_failed = fails("close", LOOKS, file, NULL, NULL, &is_last), error = errno;
  int value = syscall(SYS_close, file);
  if (is_last) end_process();
  return has_failed ? (errno = error, -1) : value;
}

// These calls return a pointer.
DIR *fdopendir(int file) {
  static DIR *(*next)(int);
  if (!next) next = (DIR * (*)(int)) dlsym(RTLD_NEXT, "fdopendir");
  int is_last = 0;
  if (fails("fdopendir", LOOKS, file, NULL, NULL, &is_last)) return NULL;
  DIR *value = next(file);
  if (is_last) end_process();
  return value;
}

struct dirent *readdir(DIR *list) {
  static struct dirent *(*next)(DIR *);
  if (!next) next = (struct dirent * (*)(DIR *)) dlsym(RTLD_NEXT, "readdir");
  int is_last = 0;
  if (fails("readdir", LOOKS, dirfd(list), NULL, NULL, &is_last)) return NULL;
  struct dirent *value = next(list);
  if (is_last) end_process();
  return value;
}
