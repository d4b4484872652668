// https://developer.apple.com/documentation/usernotifications: a class NAME is at …/usernotifications/NAME, in lower case.
#ifndef STUB_USERNOTIFICATIONS
#define STUB_USERNOTIFICATIONS
#include "foundation.h"
#define NOT_ON_MACOS __attribute__((availability(macos, unavailable)))
#pragma clang assume_nonnull begin

// …/usernotifications/unnotificationsound
typedef NSString *UNNotificationSoundName STRINGS;
@interface UNNotificationSound : NSObject <NSCopying>
@property(class, readonly, copy) UNNotificationSound *defaultSound SWIFT("default");
@property(class, readonly, copy) UNNotificationSound *defaultCriticalSound SWIFT("defaultCritical");
+ (instancetype)defaultCriticalSoundWithAudioVolume:(float)volume SWIFT("defaultCriticalSound(withAudioVolume:)");
+ (instancetype)soundNamed:(UNNotificationSoundName)name;
+ (instancetype)criticalSoundNamed:(UNNotificationSoundName)name SWIFT("criticalSoundNamed(_:)");
+ (instancetype)criticalSoundNamed:(UNNotificationSoundName)name
                   withAudioVolume:(float)volume SWIFT("criticalSoundNamed(_:withAudioVolume:)");
- (instancetype)init __attribute__((unavailable));
@end

// …/usernotifications/unnotificationattachment
@interface UNNotificationAttachment : NSObject <NSCopying>
@property(readonly, copy) NSString *identifier;
@property(readonly, copy) NSURL *URL;
@property(readonly, copy) NSString *type;
+ (nullable instancetype)attachmentWithIdentifier:(NSString *)identifier
                                              URL:(NSURL *)url
                                          options:(nullable NSDictionary *)options
                                            error:(NSError *_Nullable *_Nullable)error;
- (instancetype)init __attribute__((unavailable));
@end

// …/usernotifications/unnotificationinterruptionlevel
typedef enum __attribute__((enum_extensibility(open))) UNNotificationInterruptionLevel : NSUInteger
    UNNotificationInterruptionLevel;
enum UNNotificationInterruptionLevel : NSUInteger {
  UNNotificationInterruptionLevelPassive,
  UNNotificationInterruptionLevelActive,
  UNNotificationInterruptionLevelTimeSensitive,
  UNNotificationInterruptionLevelCritical,
};

// …/usernotifications/unnotificationcontentproviding
@protocol UNNotificationContentProviding <NSObject>
@end

// …/usernotifications/unnotificationcontent, …/unnotificationcontent/updating(from:)
@interface UNNotificationContent : NSObject <NSCopying, NSMutableCopying>
@property(readonly, copy) NSArray<UNNotificationAttachment *> *attachments;
@property(nullable, readonly, copy) NSNumber *badge;
@property(readonly, copy) NSString *body;
@property(readonly, copy) NSString *categoryIdentifier;
@property(readonly, copy) NSString *launchImageName NOT_ON_MACOS;
@property(nullable, readonly, copy) UNNotificationSound *sound;
@property(readonly, copy) NSString *subtitle;
@property(readonly, copy) NSString *threadIdentifier;
@property(readonly, copy) NSString *title;
@property(readonly, copy) NSDictionary *userInfo;
@property(nullable, readonly, copy) NSString *targetContentIdentifier;
@property(readonly) UNNotificationInterruptionLevel interruptionLevel;
@property(readonly) double relevanceScore;
@property(nullable, readonly, copy) NSString *filterCriteria;
- (nullable UNNotificationContent *)contentByUpdatingWithProvider:(id<UNNotificationContentProviding>)provider
                                                            error:(NSError *_Nullable *_Nullable)error
    SWIFT("updating(from:)");
@end

// …/usernotifications/unmutablenotificationcontent
@interface UNMutableNotificationContent : UNNotificationContent
@property(copy) NSArray<UNNotificationAttachment *> *attachments;
@property(nullable, copy) NSNumber *badge;
@property(copy) NSString *body;
@property(copy) NSString *categoryIdentifier;
@property(copy) NSString *launchImageName NOT_ON_MACOS;
@property(nullable, copy) UNNotificationSound *sound;
@property(copy) NSString *subtitle;
@property(copy) NSString *threadIdentifier;
@property(copy) NSString *title;
@property(copy) NSDictionary *userInfo;
@property(nullable, copy) NSString *targetContentIdentifier;
@property UNNotificationInterruptionLevel interruptionLevel;
@property double relevanceScore;
@property(nullable, copy) NSString *filterCriteria;
@end

// …/usernotifications/unnotificationtrigger, unnotificationrequest
@interface UNNotificationTrigger : NSObject <NSCopying>
- (instancetype)init __attribute__((unavailable));
@end
@interface UNNotificationRequest : NSObject <NSCopying>
@property(readonly, copy) NSString *identifier;
@property(readonly, copy) UNNotificationContent *content;
@property(nullable, readonly, copy) UNNotificationTrigger *trigger;
+ (instancetype)requestWithIdentifier:(NSString *)identifier
                              content:(UNNotificationContent *)content
                              trigger:(nullable UNNotificationTrigger *)trigger;
- (instancetype)init __attribute__((unavailable));
@end

// …/usernotifications/unnotificationserviceextension
@interface UNNotificationServiceExtension : NSObject
- (void)didReceiveNotificationRequest:(UNNotificationRequest *)request
                   withContentHandler:(void (^)(UNNotificationContent *contentToDeliver))contentHandler
    SWIFT("didReceive(_:withContentHandler:)");
- (void)serviceExtensionTimeWillExpire;
@end

// …/usernotifications/unnotificationaction, untextinputnotificationaction, unnotificationactionoptions
typedef OPTIONS(UNNotificationActionOptions) {
  UNNotificationActionOptionAuthenticationRequired = 1 << 0,
  UNNotificationActionOptionDestructive = 1 << 1,
  UNNotificationActionOptionForeground = 1 << 2,
};
@interface UNNotificationAction : NSObject <NSCopying>
@property(readonly, copy) NSString *identifier;
@property(readonly, copy) NSString *title;
@property(readonly) UNNotificationActionOptions options;
+ (instancetype)actionWithIdentifier:(NSString *)identifier
                               title:(NSString *)title
                             options:(UNNotificationActionOptions)options;
- (instancetype)init __attribute__((unavailable));
@end
@interface UNTextInputNotificationAction : UNNotificationAction
+ (instancetype)actionWithIdentifier:(NSString *)identifier
                               title:(NSString *)title
                             options:(UNNotificationActionOptions)options
                textInputButtonTitle:(NSString *)button
                textInputPlaceholder:(NSString *)placeholder;
@end

// …/usernotifications/unnotificationcategory, unnotificationcategoryoptions
typedef OPTIONS(UNNotificationCategoryOptions) {
  UNNotificationCategoryOptionCustomDismissAction = 1 << 0,
};
@interface UNNotificationCategory : NSObject <NSCopying>
@property(readonly, copy) NSString *identifier;
@property(readonly, copy) NSArray<UNNotificationAction *> *actions;
@property(readonly) UNNotificationCategoryOptions options;
+ (instancetype)categoryWithIdentifier:(NSString *)identifier
                               actions:(NSArray<UNNotificationAction *> *)actions
                     intentIdentifiers:(NSArray<NSString *> *)intentIdentifiers
                               options:(UNNotificationCategoryOptions)options;
- (instancetype)init __attribute__((unavailable));
@end

// …/usernotifications/unnotificationpresentationoptions
typedef OPTIONS(UNNotificationPresentationOptions) {
  UNNotificationPresentationOptionBadge = 1 << 0,
  UNNotificationPresentationOptionSound = 1 << 1,
  UNNotificationPresentationOptionList = 1 << 3,
  UNNotificationPresentationOptionBanner = 1 << 4,
};

// …/usernotifications/unauthorizationoptions
typedef OPTIONS(UNAuthorizationOptions) {
  UNAuthorizationOptionBadge = 1 << 0,
  UNAuthorizationOptionSound = 1 << 1,
  UNAuthorizationOptionAlert = 1 << 2,
};

// …/usernotifications/unnotification
@interface UNNotification : NSObject
@property(readonly, copy) UNNotificationRequest *request;
- (instancetype)init __attribute__((unavailable));
@end

// …/usernotifications/unnotificationresponse: actionIdentifier, notification
@interface UNNotificationResponse : NSObject <NSCopying>
@property(readonly, copy) NSString *actionIdentifier;
@property(readonly, copy) UNNotification *notification;
@end

// …/usernotifications/untextinputnotificationresponse/usertext
@interface UNTextInputNotificationResponse : UNNotificationResponse
@property(readonly, copy) NSString *userText;
@end

@class UNUserNotificationCenter;

// …/usernotifications/unusernotificationcenterdelegate
@protocol UNUserNotificationCenterDelegate <NSObject>
@optional
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
       willPresentNotification:(UNNotification *)notification
         withCompletionHandler:(void (^)(UNNotificationPresentationOptions options))completionHandler;
@end

// …/usernotifications/unusernotificationcenter: current(), delegate, requestAuthorization(options:completionHandler:),
// add(_:withCompletionHandler:), getDeliveredNotifications(completionHandler:), removeDeliveredNotifications(withIdentifiers:),
// removeAllDeliveredNotifications()
SENDABLE @interface UNUserNotificationCenter : NSObject
@property(nullable, weak) id<UNUserNotificationCenterDelegate> delegate;
+ (UNUserNotificationCenter *)currentNotificationCenter SWIFT("current()");
- (void)requestAuthorizationWithOptions:(UNAuthorizationOptions)options
                      completionHandler:(SENDABLE void (^)(BOOL granted, NSError *_Nullable error))completionHandler;
- (void)addNotificationRequest:(UNNotificationRequest *)request
         withCompletionHandler:(nullable SENDABLE void (^)(NSError *_Nullable error))completionHandler
    SWIFT("add(_:withCompletionHandler:)");
- (void)getDeliveredNotificationsWithCompletionHandler:
    (SENDABLE void (^)(NSArray<UNNotification *> *notifications))completionHandler;
- (void)removeDeliveredNotificationsWithIdentifiers:(NSArray<NSString *> *)identifiers
    SWIFT("removeDeliveredNotifications(withIdentifiers:)");
- (void)removeAllDeliveredNotifications;
- (instancetype)init __attribute__((unavailable));
@end
#pragma clang assume_nonnull end
#endif
