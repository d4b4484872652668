/* Preloaded under valgrind, it makes memory undefined for valgrind. It also has a leak that must be found. */
#include <stddef.h>
#include <valgrind/memcheck.h>

long poison(unsigned char *memory, size_t size)
{
  VALGRIND_MAKE_MEM_UNDEFINED(memory, size);
  return 0;
}

/* Takes as many steps as the memory's first byte says. */
long leak(unsigned char *memory, size_t size)
{
  volatile long steps = 0;
  while (size > 0 && steps < memory[0]) steps = steps + 1;
  return steps;
}
