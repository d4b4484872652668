internal import Foundation
internal import PushCore
public import PushReceiver
public import UserNotifications

extension UNMutableNotificationContent {
  /// Creates a content with the values of `content`, and nothing else.
  ///
  /// An app can use it to show a message in a notification of its own, such as one that was kept while the phone was
  /// locked.
  public convenience init(_ content: ShownContent) {
    self.init()
    title = content.title
    subtitle = content.subtitle
    body = content.body
    sound = content.sound.map(UNNotificationSound.make)
    badge = content.badge.map { NSNumber(value: $0) }
    #if !os(macOS)
      launchImageName = content.launchImageName
    #endif
    categoryIdentifier = content.category
    threadIdentifier = content.threadIdentifier
    targetContentIdentifier = content.targetContentIdentifier
    filterCriteria = content.filterCriteria
    interruptionLevel = UNNotificationInterruptionLevel(content.interruptionLevel)
    relevanceScore = content.relevanceScore
    userInfo = content.userInfo.mapValues(\.object)
    attachments = content.attachments.compactMap(UNNotificationAttachment.make)
  }
}

extension UNNotificationAttachment {
  /// The attachment as Apple's class; nil if the system does not accept the file.
  ///
  /// The system moves the file into its own store when it receives the content.
  fileprivate static func make(from attachment: ShownAttachment) -> UNNotificationAttachment? {
    let url = URL(fileURLWithPath: attachment.path)
    return try? UNNotificationAttachment(identifier: attachment.identifier, url: url)
  }
}

extension ShownContent {
  /// Keeps the files that `content` attaches, because the system moves them; the others are deleted.
  ///
  /// Attachments are matched by their identifiers: the system may have another path for the same file.
  func leaveFiles(of content: UNNotificationContent) {
    let identifiers = Set(content.attachments.map(\.identifier))
    for attachment in attachments where identifiers.contains(attachment.identifier) { attachment.leave() }
  }
}

extension UNNotificationSound {
  fileprivate static func make(from sound: Sound) -> UNNotificationSound {
    let isDefault = Sound.named(sound.name) == .default
    let name = UNNotificationSoundName(sound.name)
    return switch sound {
    case .named: isDefault ? .default : UNNotificationSound(named: name)
    case .critical(_, let volume?):
      isDefault
        ? .defaultCriticalSound(withAudioVolume: Float(volume))
        : .criticalSoundNamed(name, withAudioVolume: Float(volume))
    case .critical(_, nil): isDefault ? .defaultCritical : .criticalSoundNamed(name)
    }
  }
}

extension UNNotificationInterruptionLevel {
  fileprivate init(_ level: InterruptionLevel) {
    self =
      switch level {
      case .passive: .passive
      case .active: .active
      case .timeSensitive: .timeSensitive
      case .critical: .critical
      }
  }
}

extension PropertyList {
  /// The value as a Foundation object that the system can store: a string, a number, an array or a dictionary.
  fileprivate var object: Any {
    switch self {
    case .string(let value): value
    case .integer(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .boolean(let value): NSNumber(value: value)
    case .array(let values): values.map(\.object)
    case .dictionary(let dictionary): dictionary.mapValues(\.object)
    }
  }
}
