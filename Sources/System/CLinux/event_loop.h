/* What Swift's module for the C library lacks. GNU's functions are declared here, as _GNU_SOURCE comes too late. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

enum { loop_reads = EPOLLIN, loop_writes = EPOLLOUT, loop_gone = EPOLLHUP | EPOLLERR };

static inline int loop_make(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int loop_make_bell(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/* The system always reports that the peer has gone. With no other readiness, EPOLLET makes it report that only once. */
static inline int loop_control(int loop, int what, int descriptor, uint32_t readiness, uint64_t number) {
  struct epoll_event event = {.events = readiness ? readiness : EPOLLET, .data.u64 = number};
  return epoll_ctl(loop, what, descriptor, &event);
}

static inline int loop_add(int loop, int descriptor, uint32_t readiness, uint64_t number) {
  return loop_control(loop, EPOLL_CTL_ADD, descriptor, readiness, number);
}

static inline int loop_change(int loop, int descriptor, uint32_t readiness, uint64_t number) {
  return loop_control(loop, EPOLL_CTL_MOD, descriptor, readiness, number);
}

static inline int loop_remove(int loop, int descriptor) {
  return loop_control(loop, EPOLL_CTL_DEL, descriptor, 0, 0);
}

typedef struct {
  uint64_t number;
  uint32_t readiness;
} loop_event;

/* Waits for so many milliseconds, or without a limit if they are negative; returns the number of events, at most 256. */
static inline int loop_wait(int loop, loop_event *events, int milliseconds) {
  enum { most = 256 };
  struct epoll_event ready[most];
  int count = epoll_wait(loop, ready, most, milliseconds);
  for (int index = 0; index < count; index++) {
    events[index].number = ready[index].data.u64;
    events[index].readiness = ready[index].events;
  }
  return count < 0 ? 0 : count;
}

enum { loop_most_events = 256 };

extern int accept4(int, struct sockaddr *, socklen_t *, int);

static inline int loop_accept(int listener) { return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC); }

/* A connection whose calls block, which no child process of this one gets. */
static inline int loopback_accept(int listener) { return accept4(listener, 0, 0, SOCK_CLOEXEC); }

/* Starts a detached thread that gets none of the process's signals. */
static inline int loop_start_thread(void *(*body)(void *), void *context) {
  /* Detached from the start: glibc's pthread_detach may read the memory of a thread that has ended meanwhile. */
  pthread_attr_t attributes;
  int status = pthread_attr_init(&attributes);
  if (status != 0) return status;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  /* A new thread inherits the signal mask of the thread that makes it. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  status = pthread_create(&thread, &attributes, body, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return status;
}
