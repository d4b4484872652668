// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/CCCryptor.3cc.html
#ifndef STUB_COMMONCRYPTO
#define STUB_COMMONCRYPTO
#include <stddef.h>
#include <stdint.h>
typedef int32_t CCCryptorStatus;
typedef uint32_t CCOperation;
typedef uint32_t CCAlgorithm;
typedef uint32_t CCOptions;
enum { kCCSuccess = 0 };
enum { kCCEncrypt = 0, kCCDecrypt };
enum { kCCAlgorithmAES = 0 };
enum { kCCOptionPKCS7Padding = 1, kCCOptionECBMode = 2 };
CCCryptorStatus CCCrypt(
    CCOperation, CCAlgorithm, CCOptions, const void *, size_t, const void *, const void *, size_t, void *, size_t,
    size_t *);

// https://github.com/apple-oss-distributions/CommonCrypto, CommonKeyDerivation
typedef uint32_t CCPBKDFAlgorithm;
typedef uint32_t CCPseudoRandomAlgorithm;
enum { kCCPBKDF2 = 2 };
enum { kCCPRFHmacAlgSHA1 = 1, kCCPRFHmacAlgSHA256 = 3, kCCPRFHmacAlgSHA512 = 5 };
int CCKeyDerivationPBKDF(
    CCPBKDFAlgorithm, const char *, size_t, const uint8_t *, size_t, CCPseudoRandomAlgorithm, unsigned, uint8_t *,
    size_t);
#endif
