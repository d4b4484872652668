// Debian has PostgreSQL's headers in a folder of their own, which the compiler searches only if pkg-config names it.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif
