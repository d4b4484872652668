#include <stdint.h>

/// What a thread has asked malloc and its relatives for.
struct allocations {
  uint64_t count;
  uint64_t bytes;
};

/// What this thread has asked for so far.
struct allocations allocations_of_this_thread(void);
