// https://developer.apple.com/documentation/corefoundation
#ifndef STUB_COREFOUNDATION
#define STUB_COREFOUNDATION
#include <stddef.h>
#include <stdint.h>
#define BRIDGED(class) __attribute__((objc_bridge(class)))
typedef const void *CFTypeRef;
// https://developer.apple.com/documentation/corefoundation/cfstring, cfdictionary, cfallocator, cferror
typedef const struct BRIDGED(NSString) __CFString *CFStringRef;
typedef const struct BRIDGED(NSDictionary) __CFDictionary *CFDictionaryRef;
typedef const struct BRIDGED(id) __CFAllocator *CFAllocatorRef;
typedef struct BRIDGED(NSError) __CFError *CFErrorRef;
#endif
