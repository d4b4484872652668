public import Foundation

/// What the system decorates a notification with.
///
/// Models Apple's page "UNNotificationContentProviding": a protocol without members, to which on Apple's systems their
/// own intents alone conform. Nothing here conforms to it; a test may let something stand in for an intent.
public protocol UNNotificationContentProviding: NSObjectProtocol {}
