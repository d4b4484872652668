#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* Swift imports neither macros with arguments nor variadic functions. */

static inline int tls_set_versions(SSL_CTX *context, int lowest, int highest) {
  return SSL_CTX_set_min_proto_version(context, lowest) == 1 && SSL_CTX_set_max_proto_version(context, highest) == 1;
}

static inline void tls_set_modes(SSL_CTX *context) {
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}

static inline int tls_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
  return SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int tls_set_server_name(SSL *session, const char *name) {
  return SSL_set_tlsext_host_name(session, name);
}

static inline void tls_retry_read(BIO *bio) {
  BIO_clear_retry_flags(bio);
  BIO_set_retry_read(bio);
}

static inline void tls_retry_write(BIO *bio) {
  BIO_clear_retry_flags(bio);
  BIO_set_retry_write(bio);
}

static inline void tls_no_retry(BIO *bio) { BIO_clear_retry_flags(bio); }

static inline long tls_memory(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

/* Adds an extension; its value may depend on the keys of the certificate and its issuer. */
static inline int tls_add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509V3_set_ctx_nodb(&context);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
  int added = extension != NULL && X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return added;
}

static inline EVP_PKEY *tls_generate_p256(void) { return EVP_EC_gen("P-256"); }
