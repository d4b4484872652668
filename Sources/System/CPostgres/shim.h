// Debian has PostgreSQL's headers in a folder of their own, which without pkg-config nobody looks into.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif
