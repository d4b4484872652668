// https://developer.apple.com/documentation/objectivec
#ifndef STUB_OBJECTIVEC
#define STUB_OBJECTIVEC
#include <stdbool.h>
#include <stddef.h>
typedef bool BOOL;
typedef struct _NSZone NSZone;
#pragma clang assume_nonnull begin

// https://developer.apple.com/documentation/objectivec/nsobjectprotocol
@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
@property(readonly) unsigned long hash;
@end

// https://developer.apple.com/documentation/objectivec/nsobject-swift.class
__attribute__((objc_root_class))
@interface NSObject <NSObject>
- (instancetype)init __attribute__((objc_designated_initializer));
- (id)copy;
- (id)mutableCopy;
@end
#pragma clang assume_nonnull end
#endif
