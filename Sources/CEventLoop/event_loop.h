/* What Swift's module of the C library lacks. Names of GNU are declared here, since the macro for them comes too late. */
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

enum { loop_reads = EPOLLIN, loop_writes = EPOLLOUT, loop_gone = EPOLLHUP | EPOLLERR };

static inline int loop_make(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int loop_make_bell(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline int loop_control(int loop, int descriptor, uint32_t from, uint32_t to, uint64_t number) {
  struct epoll_event event = {.events = to, .data.u64 = number};
  return epoll_ctl(loop, from == 0 ? EPOLL_CTL_ADD : to == 0 ? EPOLL_CTL_DEL : EPOLL_CTL_MOD, descriptor, &event);
}

typedef struct {
  uint64_t number;
  uint32_t readiness;
} loop_event;

/* Waits without an end, or not at all; returns how many events there are. */
static inline int loop_wait(int loop, loop_event *events, int wait) {
  enum { most = 256 };
  struct epoll_event ready[most];
  int count = epoll_wait(loop, ready, most, wait ? -1 : 0);
  for (int index = 0; index < count; index++) {
    events[index].number = ready[index].data.u64;
    events[index].readiness = ready[index].events;
  }
  return count < 0 ? 0 : count;
}

enum { loop_most_events = 256 };

extern int accept4(int, struct sockaddr *, socklen_t *, int);

static inline int loop_accept(int listener) { return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC); }
