/* What Linux and glibc say of the processor. */
#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>

/* Whether the processor has AVX-512 with IFMA, the system saves its registers, and GLIBC_TUNABLES does not mask it. */
static inline int processor_has_ifma(void) {
  return CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512DQ) && CPU_FEATURE_ACTIVE(AVX512BW) &&
         CPU_FEATURE_ACTIVE(AVX512VL) && CPU_FEATURE_ACTIVE(AVX512_IFMA);
}
#else
static inline int processor_has_ifma(void) { return 0; }
#endif
