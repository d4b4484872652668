public import PushCore

/// What the person's settings say of one notification: whether it makes a sound and which, and the number on the app's icon.
public struct NotificationRules: Equatable, Sendable {
  /// Whether the conversation is muted: no sound, and no lit screen.
  public var isMuted = false

  /// The hours of the day without sound; nil if there are none.
  public var quietHours: QuietHours?

  /// The conversation's sound; nil leaves the sender's.
  public var sound: Sound?

  /// The number on the app's icon, counted in the app's store; nil leaves the sender's.
  public var badge: Int?

  /// Makes rules that change nothing.
  public init() {}

  /// Applies the rules to a content at a time of the day, in minutes after midnight.
  ///
  /// What breaks through a Focus, a time-sensitive or a critical notification, sounds in quiet hours, too, unless the
  /// conversation is muted.
  func apply(to content: inout ShownContent, at minute: Int) {
    if let badge { content.badge = badge }
    if let sound, content.sound != nil { content.sound = sound }
    let isUrgent = content.interruptionLevel == .timeSensitive || content.interruptionLevel == .critical
    guard isMuted || quietHours?.contains(minute: minute) == true && !isUrgent else { return }
    content.sound = nil
    content.interruptionLevel = .passive
  }
}

/// Hours of every day, which may go over midnight.
public struct QuietHours: Equatable, Sendable {
  /// The first minute, counted from midnight.
  public let start: Int

  /// The minute after the last one; that of the next day if it is earlier than ``start``.
  public let end: Int

  /// The minutes of a day.
  private static let day = 24 * 60

  /// Takes minutes after midnight, from 0 to 1439; others are taken modulo a day.
  public init(from start: Int, to end: Int) {
    self.start = Self.minute(start)
    self.end = Self.minute(end)
  }

  /// Whether a minute after midnight is in them; none is if they end when they start.
  public func contains(minute: Int) -> Bool {
    let minute = Self.minute(minute)
    return start <= end ? (start..<end).contains(minute) : minute >= start || minute < end
  }

  private static func minute(_ number: Int) -> Int { (number % day + day) % day }
}

extension EnrichmentStep {
  /// Applies the person's settings, which `rules` looks up for each message: muted conversations, quiet hours, a sound by
  /// conversation, and a badge that is counted in the app's store.
  ///
  /// `minute` is the time of the day in minutes after midnight, where the person is. It runs on a duplicate, too, which has no
  /// sound anyway. If `rules` throws, or takes too long, the notification is shown as it was sent.
  public static func rules(
    at minute: @escaping @Sendable () -> Int,
    _ rules: @escaping @Sendable (OpenedMessage) async throws -> NotificationRules
  ) -> EnrichmentStep {
    var step = EnrichmentStep("rules") { content, message in
      let isSilent = content.sound == nil
      try await rules(message).apply(to: &content, at: minute())
      if isSilent { content.sound = nil }
    }
    step.runsOnDuplicates = true
    return step
  }
}
