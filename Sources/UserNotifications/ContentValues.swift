internal import Foundation

/// The values of a content.
struct ContentValues {
  var title = ""
  var subtitle = ""
  var body = ""
  var badge: NSNumber?
  var sound: UNNotificationSound?
  var attachments: [UNNotificationAttachment] = []
  var launchImageName = ""
  var threadIdentifier = ""
  var categoryIdentifier = ""
  var userInfo: [AnyHashable: Any] = [:]
  var targetContentIdentifier: String?
  var interruptionLevel = UNNotificationInterruptionLevel.active
  var relevanceScore = 0.0
  var filterCriteria: String?
}

extension ContentValues: Hashable {
  static func == (one: ContentValues, other: ContentValues) -> Bool {
    one.title == other.title && one.subtitle == other.subtitle && one.body == other.body
      && one.badge == other.badge && one.sound == other.sound && one.attachments == other.attachments
      && one.launchImageName == other.launchImageName && one.threadIdentifier == other.threadIdentifier
      && one.categoryIdentifier == other.categoryIdentifier
      && one.targetContentIdentifier == other.targetContentIdentifier
      && one.interruptionLevel == other.interruptionLevel && one.relevanceScore == other.relevanceScore
      && one.filterCriteria == other.filterCriteria && areEqual(one.userInfo, other.userInfo)
  }

  // What is left out here is compared above, which is enough for a hash.
  func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(subtitle)
    hasher.combine(body)
    hasher.combine(threadIdentifier)
    hasher.combine(categoryIdentifier)
  }
}

/// Whether two dictionaries of property-list values say the same, by Foundation's rules.
func areEqual(_ one: [AnyHashable: Any], _ other: [AnyHashable: Any]) -> Bool {
  NSDictionary(dictionary: one).isEqual(NSDictionary(dictionary: other))
}
