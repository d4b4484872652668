// SHA256_Init and its relatives are deprecated in favor of functions that allocate memory for each digest.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <malloc.h>
#include <openssl/bn.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/sha.h>
