// https://developer.apple.com/documentation/uikit: a class NAME is at …/uikit/NAME, in lower case.
#ifndef STUB_UIKIT
#define STUB_UIKIT
#include "foundation.h"
#define MAIN_ACTOR __attribute__((swift_attr("@MainActor")))
#pragma clang assume_nonnull begin

// …/uikit/uibackgroundfetchresult
typedef enum __attribute__((enum_extensibility(open))) UIBackgroundFetchResult : NSUInteger UIBackgroundFetchResult;
enum UIBackgroundFetchResult : NSUInteger {
  UIBackgroundFetchResultNewData,
  UIBackgroundFetchResultNoData,
  UIBackgroundFetchResultFailed,
};

// …/uikit/uiapplication/launchoptionskey
typedef NSString *UIApplicationLaunchOptionsKey STRINGS SWIFT("UIApplicationLaunchOptionsKey");

// …/uikit/uiapplication: registerForRemoteNotifications()
MAIN_ACTOR @interface UIApplication : NSObject
- (void)registerForRemoteNotifications;
@end

// …/uikit/uiapplicationdelegate, with a page for each method
MAIN_ACTOR @protocol UIApplicationDelegate <NSObject>
@optional
- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(nullable NSDictionary<UIApplicationLaunchOptionsKey, id> *)options;
- (void)application:(UIApplication *)application
    didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)token;
- (void)application:(UIApplication *)application
    didFailToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)application:(UIApplication *)application
    didReceiveRemoteNotification:(NSDictionary *)userInfo
          fetchCompletionHandler:(void (^)(UIBackgroundFetchResult result))completionHandler;
@end
#pragma clang assume_nonnull end
#endif
