// Tells the thread sanitizer when Synchronization.Mutex calls the kernel. The lock's own code is inlined, so the
// sanitizer sees it; but these three functions are in the toolchain's library, which the sanitizer does not watch. Load
// this library before the others (LD_PRELOAD); in a process without the sanitizer, it changes nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SELF __attribute__((swift_context)) void *self
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void Lock(uint32_t thread, SELF);
typedef __attribute__((swiftcall)) bool Try(SELF);
typedef __attribute__((swiftcall)) void Unlock(SELF);

static Lock *lock;
static Try *try;
static Unlock *unlock;
static void (*acquire)(void *);
static void (*release)(void *);

__attribute__((constructor)) static void find(void) {
  lock = (Lock *)dlsym(RTLD_NEXT, LOCK);
  try = (Try *)dlsym(RTLD_NEXT, TRY);
  unlock = (Unlock *)dlsym(RTLD_NEXT, UNLOCK);
  acquire = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_acquire");
  release = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_release");
}

__attribute__((swiftcall)) void wait_for_lock(uint32_t thread, SELF) __asm__(LOCK);
__attribute__((swiftcall)) void wait_for_lock(uint32_t thread, SELF) {
  lock(thread, self);
  if (acquire) acquire(self);
}

__attribute__((swiftcall)) bool lock_if_available(SELF) __asm__(TRY);
__attribute__((swiftcall)) bool lock_if_available(SELF) {
  bool is_locked = try(self);
  if (is_locked && acquire) acquire(self);
  return is_locked;
}

__attribute__((swiftcall)) void wake_waiting(SELF) __asm__(UNLOCK);
__attribute__((swiftcall)) void wake_waiting(SELF) {
  if (release) release(self);
  unlock(self);
}
