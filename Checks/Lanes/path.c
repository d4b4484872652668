// path LIBRARY: single-steps each function that the lanes use, with random secrets, and fails unless each secret takes the same
// instructions in the same order.
//
// It proves itself first, on a function that branches by its secret.
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define LANES 8
#define RUNS 3

// In each lane: a secret of 32 bytes, a point or a text, and room for an answer.
static uint8_t secrets[LANES][32], points[2][LANES][32], answers[2][LANES][64], texts[LANES][300];
static uint8_t *secret[LANES], *x[LANES], *y[LANES], *first[LANES], *second[LANES], *text[LANES];
static uint32_t sizes[LANES];

typedef uint8_t **lanes;
static void *called;

static void x25519(void) { ((uint32_t(*)(lanes, lanes, lanes))called)(first, secret, x); }
static void x25519Base(void) { ((uint32_t(*)(lanes, lanes))called)(first, secret); }
static void p256(void) {
  ((uint32_t(*)(lanes, lanes, lanes, lanes, lanes, uint8_t *))called)(first, secret, x, y, NULL, NULL);
}
static void p256Base(void) {
  ((uint32_t(*)(lanes, lanes, lanes, lanes, uint8_t *))called)(first, second, NULL, secret, NULL);
}
static void ed25519(void) {
  ((uint32_t(*)(lanes, lanes, lanes, uint32_t *, lanes, lanes))called)(first, second, text, sizes, secret, x);
}

static volatile int odd;
static void control(void) {
  for (int index = 0; index < 32; index++) if (secrets[0][index] & 1) odd++;
}

static const struct {
  const char *name;
  void (*call)(void);
} functions[] = {
  {"mbx_x25519_mb8", x25519},
  {"mbx_x25519_public_key_mb8", x25519Base},
  {"mbx_nistp256_ecdh_mb8", p256},
  {"mbx_nistp256_ecpublic_key_mb8", p256Base},
  {"mbx_ed25519_sign_mb8", ed25519},
};

static void draw(void) {
  if (getrandom(secrets, sizeof secrets, 0) != sizeof secrets) exit(1);
  // Below the order of P-256, little endian.
  for (int lane = 0; lane < LANES; lane++) secrets[lane][31] &= 0x7f;
}

// The child: the call once, so that it is bound, and then between two stops for each run.
static void run(void (*call)(void)) {
  ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  draw();
  call();
  for (int count = 0; count < RUNS; count++) {
    draw();
    raise(SIGSTOP);
    call();
    raise(SIGSTOP);
  }
  _exit(0);
}

// The number of instructions between two stops, and a digest of their addresses.
struct path {
  uint64_t count, digest;
};

static int stop(pid_t child) {
  int status;
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) exit(1);
  return WSTOPSIG(status);
}

static struct path step(pid_t child) {
  struct path path = {0, 1469598103934665603u};
  struct user_regs_struct registers;
  do {
    ptrace(PTRACE_GETREGS, child, NULL, &registers);
    path.digest = (path.digest ^ registers.rip) * 1099511628211u;
    path.count++;
    ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
  } while (stop(child) == SIGTRAP);
  return path;
}

// Whether all runs take one path.
static int isSame(const char *name, void (*call)(void)) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) run(call);
  struct path paths[RUNS];
  int same = 1;
  for (int count = 0; count < RUNS; count++) {
    if (stop(child) != SIGSTOP) exit(1);
    paths[count] = step(child);
    same &= paths[count].count == paths[0].count && paths[count].digest == paths[0].digest;
    ptrace(PTRACE_CONT, child, NULL, NULL);
  }
  waitpid(child, NULL, 0);
  printf("%s: %lu instructions, %s\n", name, paths[0].count, same ? "the same for each secret" : "not always the same");
  return same;
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  // The base point of P-256, little endian; any bytes are a point for X25519, or a public key to sign with.
  static const uint8_t base[2][32] = {
    {0x96, 0xc2, 0x98, 0xd8, 0x45, 0x39, 0xa1, 0xf4, 0xa0, 0x33, 0xeb, 0x2d, 0x81, 0x7d, 0x03, 0x77,
     0xf2, 0x40, 0xa4, 0x63, 0xe5, 0xe6, 0xbc, 0xf8, 0x47, 0x42, 0x2c, 0xe1, 0xf2, 0xd1, 0x17, 0x6b},
    {0xf5, 0x51, 0xbf, 0x37, 0x68, 0x40, 0xb6, 0xcb, 0xce, 0x5e, 0x31, 0x6b, 0x57, 0x33, 0xce, 0x2b,
     0x16, 0x9e, 0x0f, 0x7c, 0x4a, 0xeb, 0xe7, 0x8e, 0x9b, 0x7f, 0x1a, 0xfe, 0xe2, 0x42, 0xe3, 0x4f}};
  for (int lane = 0; lane < LANES; lane++) {
    memcpy(points[0][lane], base[0], 32);
    memcpy(points[1][lane], base[1], 32);
    secret[lane] = secrets[lane], x[lane] = points[0][lane], y[lane] = points[1][lane];
    first[lane] = answers[0][lane], second[lane] = answers[1][lane];
    text[lane] = texts[lane], sizes[lane] = sizeof texts[lane];
  }
  if (isSame("the control", control)) return fprintf(stderr, "a path that depends on a secret is not seen\n"), 1;
  int same = 1;
  for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
    called = dlsym(library, functions[index].name);
    if (called == NULL) return fprintf(stderr, "there is no %s\n", functions[index].name), 1;
    same &= isSame(functions[index].name, functions[index].call);
  }
  return !same;
}
