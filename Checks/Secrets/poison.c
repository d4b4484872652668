/* Preloaded under valgrind, it makes memory undefined to it. */
#include <stddef.h>
#include <valgrind/memcheck.h>

void poison(void *memory, size_t size) { VALGRIND_MAKE_MEM_UNDEFINED(memory, size); }
