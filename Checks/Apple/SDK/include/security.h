// https://developer.apple.com/documentation/security
#ifndef STUB_SECURITY
#define STUB_SECURITY
#include "corefoundation.h"
#include "objectivec.h"
typedef int32_t OSStatus;
#pragma clang assume_nonnull begin

// https://developer.apple.com/documentation/security/security-framework-result-codes
enum : OSStatus {
  errSecSuccess = 0,
  errSecItemNotFound = -25300,
  errSecInteractionNotAllowed = -25308,
};

// https://developer.apple.com/documentation/security/item-class-keys-and-values
extern const CFStringRef kSecClass;
extern const CFStringRef kSecClassGenericPassword;

// https://developer.apple.com/documentation/security/item-attribute-keys-and-values
extern const CFStringRef kSecAttrService;
extern const CFStringRef kSecAttrAccount;
extern const CFStringRef kSecAttrAccessGroup;
extern const CFStringRef kSecAttrAccessible;
extern const CFStringRef kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly;
extern const CFStringRef kSecUseDataProtectionKeychain;

// https://developer.apple.com/documentation/security/item-return-result-keys, search-attribute-keys-and-values
extern const CFStringRef kSecReturnData;
extern const CFStringRef kSecReturnAttributes;
extern const CFStringRef kSecMatchLimit;
extern const CFStringRef kSecMatchLimitOne;
extern const CFStringRef kSecMatchLimitAll;
extern const CFStringRef kSecValueData;

// https://developer.apple.com/documentation/security/secitemcopymatching(_:_:), secitemadd(_:_:), secitemupdate(_:_:),
// secitemdelete(_:)
OSStatus SecItemCopyMatching(CFDictionaryRef query, CFTypeRef _Nullable *_Nullable __attribute__((cf_returns_retained)) result);
OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef _Nullable *_Nullable __attribute__((cf_returns_retained)) result);
OSStatus SecItemUpdate(CFDictionaryRef query, CFDictionaryRef attributes);
OSStatus SecItemDelete(CFDictionaryRef query);

// https://developer.apple.com/documentation/security/secaccesscontrol, secaccesscontrolcreateflags
typedef struct BRIDGED(id) __SecAccessControl *SecAccessControlRef;
typedef enum __attribute__((enum_extensibility(open), flag_enum)) SecAccessControlCreateFlags : unsigned long
    SecAccessControlCreateFlags;
enum SecAccessControlCreateFlags : unsigned long {
  kSecAccessControlUserPresence = 1u << 0,
  kSecAccessControlPrivateKeyUsage = 1u << 30,
};

// https://developer.apple.com/documentation/security/secaccesscontrolcreatewithflags(_:_:_:_:)
__attribute__((cf_returns_retained)) _Nullable SecAccessControlRef SecAccessControlCreateWithFlags(
    _Nullable CFAllocatorRef allocator, CFTypeRef protection, SecAccessControlCreateFlags flags,
    CFErrorRef _Nullable *_Nullable error);
#pragma clang assume_nonnull end
#endif
