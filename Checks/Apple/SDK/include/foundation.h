// https://developer.apple.com/documentation/foundation: a class NAME is at …/foundation/NAME, in lower case. The names that
// Swift sees are given here where Apple's own rules for names would change them.
#ifndef STUB_FOUNDATION
#define STUB_FOUNDATION
#include "corefoundation.h"
#include "objectivec.h"
#define SWIFT(name) __attribute__((swift_name(name)))
#define BRIDGED_TO(type) __attribute__((swift_bridge(type)))
#define SENDABLE __attribute__((swift_attr("@Sendable")))
#define NOT_SENDABLE __attribute__((swift_attr("@_nonSendable")))
#define NAMED_ENUM(name, swift)                                                                                       \
  enum SWIFT(swift) __attribute__((enum_extensibility(open))) name : NSInteger name;                                  \
  enum SWIFT(swift) __attribute__((enum_extensibility(open))) name : NSInteger
#define OPTIONS(name)                                                                                                 \
  enum __attribute__((flag_enum, enum_extensibility(open))) name : NSUInteger name;                                   \
  enum __attribute__((flag_enum, enum_extensibility(open))) name : NSUInteger
#define STRINGS __attribute__((swift_wrapper(struct)))
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef double NSTimeInterval;
#pragma clang assume_nonnull begin

@protocol NSCopying
- (id)copyWithZone:(nullable NSZone *)zone;
@end
@protocol NSMutableCopying
- (id)mutableCopyWithZone:(nullable NSZone *)zone;
@end

SENDABLE BRIDGED_TO("Swift.String") @interface NSString : NSObject <NSCopying>
@end

SENDABLE @interface NSValue : NSObject <NSCopying>
@property(readonly) const char *objCType;
@end

@interface NSNumber : NSValue
- (instancetype)initWithLongLong:(long long)value;
- (instancetype)initWithInteger:(NSInteger)value;
- (instancetype)initWithDouble:(double)value;
- (instancetype)initWithBool:(BOOL)value;
@property(readonly) BOOL boolValue;
@property(readonly) double doubleValue;
@property(readonly) long long longLongValue SWIFT("int64Value");
@property(readonly) unsigned long long unsignedLongLongValue SWIFT("uint64Value");
@property(readonly) NSInteger integerValue SWIFT("intValue");
@end

BRIDGED_TO("Swift.Array") @interface NSArray<Element> : NSObject <NSCopying>
@end
BRIDGED_TO("Swift.Dictionary") @interface NSDictionary<Key, Value> : NSObject <NSCopying>
@end
BRIDGED_TO("Swift.Set") @interface NSSet<Element> : NSObject <NSCopying>
@end

SENDABLE BRIDGED_TO("Foundation.Data") @interface NSData : NSObject <NSCopying>
@end
SENDABLE BRIDGED_TO("Foundation.URL") @interface NSURL : NSObject <NSCopying>
@end
SENDABLE BRIDGED_TO("Foundation.Date") @interface NSDate : NSObject <NSCopying>
@end
SENDABLE BRIDGED_TO("Swift.Error") @interface NSError : NSObject <NSCopying>
@property(readonly, copy) NSString *domain;
@property(readonly) NSInteger code;
@end
// …/foundation/nsosstatuserrordomain
extern NSString *const NSOSStatusErrorDomain;

SWIFT("Bundle") @interface NSBundle : NSObject
@property(class, readonly, strong) NSBundle *mainBundle SWIFT("main");
- (nullable instancetype)initWithURL:(NSURL *)url;
@property(readonly, copy) NSURL *bundleURL;
@property(readonly, copy) NSArray<NSString *> *localizations;
- (NSString *)localizedStringForKey:(NSString *)key value:(nullable NSString *)value table:(nullable NSString *)table;
- (nullable id)objectForInfoDictionaryKey:(NSString *)key SWIFT("object(forInfoDictionaryKey:)");
- (nullable NSURL *)URLForResource:(nullable NSString *)name
                     withExtension:(nullable NSString *)extension SWIFT("url(forResource:withExtension:)");
- (nullable NSURL *)URLForResource:(nullable NSString *)name
                     withExtension:(nullable NSString *)extension
                      subdirectory:(nullable NSString *)path
                      localization:(nullable NSString *)localization
    SWIFT("url(forResource:withExtension:subdirectory:localization:)");
+ (NSArray<NSString *> *)preferredLocalizationsFromArray:(NSArray<NSString *> *)localizations
                                          forPreferences:(nullable NSArray<NSString *> *)preferences
    SWIFT("preferredLocalizations(from:forPreferences:)");
@end

typedef NSString *NSFileAttributeKey STRINGS SWIFT("FileAttributeKey");
extern NSFileAttributeKey const NSFileProtectionKey SWIFT("FileAttributeKey.protectionKey");
typedef NSString *NSFileProtectionType STRINGS SWIFT("FileProtectionType");
extern NSFileProtectionType const NSFileProtectionNone SWIFT("FileProtectionType.none");

SENDABLE SWIFT("FileManager") @interface NSFileManager : NSObject
@property(class, readonly, strong) NSFileManager *defaultManager SWIFT("default");
- (nullable NSURL *)containerURLForSecurityApplicationGroupIdentifier:(NSString *)group
    SWIFT("containerURL(forSecurityApplicationGroupIdentifier:)");
- (BOOL)createDirectoryAtPath:(NSString *)path
    withIntermediateDirectories:(BOOL)intermediate
                     attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attributes
                          error:(NSError **)error;
- (BOOL)setAttributes:(NSDictionary<NSFileAttributeKey, id> *)attributes
         ofItemAtPath:(NSString *)path
                error:(NSError **)error;
@end

SENDABLE SWIFT("Thread") @interface NSThread : NSObject
@property(class, readonly, strong) NSThread *currentThread SWIFT("current");
+ (void)detachNewThreadWithBlock:(SENDABLE void (^)(void))block SWIFT("detachNewThread(_:)");
- (instancetype)initWithBlock:(SENDABLE void (^)(void))block;
@property NSUInteger stackSize;
- (void)start;
@end

SWIFT("OperationQueue") @interface NSOperationQueue : NSObject
@property NSInteger maxConcurrentOperationCount;
@end

SENDABLE SWIFT("URLResponse") @interface NSURLResponse : NSObject <NSCopying>
@end
SWIFT("HTTPURLResponse") @interface NSHTTPURLResponse : NSURLResponse
@property(readonly) NSInteger statusCode;
- (nullable NSString *)valueForHTTPHeaderField:(NSString *)field;
@end
SENDABLE BRIDGED_TO("Foundation.URLRequest") @interface NSURLRequest : NSObject <NSCopying>
@end
SENDABLE SWIFT("URLCredential") @interface NSURLCredential : NSObject <NSCopying>
@end
SENDABLE SWIFT("URLCredentialStorage") @interface NSURLCredentialStorage : NSObject
@end
SENDABLE SWIFT("URLCache") @interface NSURLCache : NSObject
@end
SENDABLE SWIFT("HTTPCookieStorage") @interface NSHTTPCookieStorage : NSObject
@end
extern NSString *const NSURLAuthenticationMethodServerTrust;
extern NSString *const NSURLAuthenticationMethodClientCertificate;
SENDABLE SWIFT("URLProtectionSpace") @interface NSURLProtectionSpace : NSObject <NSCopying>
@property(readonly, copy) NSString *authenticationMethod;
@end
SENDABLE SWIFT("URLAuthenticationChallenge") @interface NSURLAuthenticationChallenge : NSObject
@property(readonly, copy) NSURLProtectionSpace *protectionSpace;
@property(nullable, readonly, copy) NSURLResponse *failureResponse;
@end
typedef NAMED_ENUM(NSURLRequestCachePolicy, "NSURLRequest.CachePolicy") {
  NSURLRequestUseProtocolCachePolicy = 0,
  NSURLRequestReloadIgnoringLocalCacheData = 1,
};
typedef NAMED_ENUM(NSHTTPCookieAcceptPolicy, "HTTPCookie.AcceptPolicy") {
  NSHTTPCookieAcceptPolicyAlways,
  NSHTTPCookieAcceptPolicyNever,
};
SENDABLE SWIFT("HTTPCookie") @interface NSHTTPCookie : NSObject
@end
enum : NSInteger { NSURLErrorBadURL = -1000, NSURLErrorBadServerResponse = -1011 };

SENDABLE SWIFT("URLSessionTask") @interface NSURLSessionTask : NSObject <NSCopying>
@property(readonly) NSUInteger taskIdentifier;
@property(nullable, readonly, copy) NSURLResponse *response;
- (void)cancel;
- (void)resume;
@end
SWIFT("URLSessionDataTask") @interface NSURLSessionDataTask : NSURLSessionTask
@end
SENDABLE SWIFT("URLSessionConfiguration") @interface NSURLSessionConfiguration : NSObject <NSCopying>
@property(class, readonly, strong) NSURLSessionConfiguration *ephemeralSessionConfiguration SWIFT("ephemeral");
@property NSTimeInterval timeoutIntervalForRequest;
@property NSURLRequestCachePolicy requestCachePolicy;
@property(nullable, strong) NSURLCache *URLCache;
@property(nullable, strong) NSHTTPCookieStorage *HTTPCookieStorage;
@property NSHTTPCookieAcceptPolicy HTTPCookieAcceptPolicy;
@property BOOL HTTPShouldSetCookies;
@property(nullable, strong) NSURLCredentialStorage *URLCredentialStorage;
@property(nullable, copy) NSDictionary *HTTPAdditionalHeaders;
@property BOOL waitsForConnectivity;
@end
@protocol NSURLSessionDelegate;
SENDABLE SWIFT("URLSession") @interface NSURLSession : NSObject
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration
                                  delegate:(nullable id<NSURLSessionDelegate>)delegate
                             delegateQueue:(nullable NSOperationQueue *)queue;
@property(class, readonly, strong) NSURLSession *sharedSession SWIFT("shared");
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request;
@end
typedef NAMED_ENUM(NSURLSessionAuthChallengeDisposition, "URLSession.AuthChallengeDisposition") {
  NSURLSessionAuthChallengeUseCredential = 0,
  NSURLSessionAuthChallengePerformDefaultHandling = 1,
  NSURLSessionAuthChallengeCancelAuthenticationChallenge = 2,
};
typedef NAMED_ENUM(NSURLSessionResponseDisposition, "URLSession.ResponseDisposition") {
  NSURLSessionResponseCancel = 0,
  NSURLSessionResponseAllow = 1,
};
SENDABLE SWIFT("URLSessionDelegate") @protocol NSURLSessionDelegate <NSObject>
@end
SENDABLE SWIFT("URLSessionTaskDelegate") @protocol NSURLSessionTaskDelegate <NSURLSessionDelegate>
@optional
- (void)URLSession:(NSURLSession *)session
                          task:(NSURLSessionTask *)task
    willPerformHTTPRedirection:(NSHTTPURLResponse *)response
                    newRequest:(NSURLRequest *)request
             completionHandler:(SENDABLE void (^)(NSURLRequest *_Nullable))completionHandler;
- (void)URLSession:(NSURLSession *)session
                   task:(NSURLSessionTask *)task
    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
      completionHandler:(SENDABLE void (^)(NSURLSessionAuthChallengeDisposition, NSURLCredential *_Nullable))completionHandler;
- (void)URLSession:(NSURLSession *)session
                    task:(NSURLSessionTask *)task
    didCompleteWithError:(nullable NSError *)error;
@end
SENDABLE SWIFT("URLSessionDataDelegate") @protocol NSURLSessionDataDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session
              dataTask:(NSURLSessionDataTask *)dataTask
    didReceiveResponse:(NSURLResponse *)response
     completionHandler:(SENDABLE void (^)(NSURLSessionResponseDisposition))completionHandler;
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask didReceiveData:(NSData *)data;
@end
#pragma clang assume_nonnull end
#endif
