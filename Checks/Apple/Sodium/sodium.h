// The part of libsodium that the package uses on a Mac. Pages: https://doc.libsodium.org, at the name of each part.
#ifndef STUB_SODIUM
#define STUB_SODIUM
#include <stddef.h>

// /usage
int sodium_init(void);
const char *sodium_version_string(void);

// /password_hashing/default_phf
#define crypto_pwhash_ALG_ARGON2ID13 2
int crypto_pwhash(
    unsigned char *const, unsigned long long, const char *const, unsigned long long, const unsigned char *const,
    unsigned long long, size_t, int);

// /secret-key_cryptography/secretbox
int crypto_secretbox_easy(
    unsigned char *, const unsigned char *, unsigned long long, const unsigned char *, const unsigned char *);
int crypto_secretbox_open_easy(
    unsigned char *, const unsigned char *, unsigned long long, const unsigned char *, const unsigned char *);

// /public-key_cryptography/sealed_boxes
int crypto_box_seal(unsigned char *, const unsigned char *, unsigned long long, const unsigned char *);
int crypto_box_seal_open(
    unsigned char *, const unsigned char *, unsigned long long, const unsigned char *, const unsigned char *);

// /secret-key_cryptography/aead/chacha20-poly1305
int crypto_aead_chacha20poly1305_ietf_encrypt(
    unsigned char *, unsigned long long *, const unsigned char *, unsigned long long, const unsigned char *,
    unsigned long long, const unsigned char *, const unsigned char *, const unsigned char *);
int crypto_aead_chacha20poly1305_ietf_decrypt(
    unsigned char *, unsigned long long *, unsigned char *, const unsigned char *, unsigned long long,
    const unsigned char *, unsigned long long, const unsigned char *, const unsigned char *);
int crypto_aead_xchacha20poly1305_ietf_encrypt(
    unsigned char *, unsigned long long *, const unsigned char *, unsigned long long, const unsigned char *,
    unsigned long long, const unsigned char *, const unsigned char *, const unsigned char *);
int crypto_aead_xchacha20poly1305_ietf_decrypt(
    unsigned char *, unsigned long long *, unsigned char *, const unsigned char *, unsigned long long,
    const unsigned char *, unsigned long long, const unsigned char *, const unsigned char *);
#endif
