#include <sys/prctl.h>

/* prctl is variadic, which Swift cannot call. */
static inline int process_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
