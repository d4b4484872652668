public import PushEnvelope

/// The pushes that had the envelope of another system, which the receiver knows.
public struct FormatCount: Hashable, Sendable {
  /// The format's name, such as `openssl-salted`.
  public let name: String

  /// When the last one came.
  public private(set) var time: UnixTime

  /// How many were opened.
  public private(set) var opened: Int

  /// How many were not, although the format was still accepted; those for which time ran out are not counted.
  public private(set) var failed: Int

  /// How many were not because the format's time was over.
  public private(set) var over: Int

  init(name: String, time: UnixTime, opened: Int = 0, failed: Int = 0, over: Int = 0) {
    self.name = name
    self.time = time
    self.opened = opened
    self.failed = failed
    self.over = over
  }

  /// Counts one more.
  mutating func note(_ fate: FormatSighting.Fate, at time: UnixTime) {
    self.time = time
    switch fate {
    case .opened: opened = opened.incremented
    case .failed: failed = failed.incremented
    case .over: over = over.incremented
    }
  }
}

extension Int {
  /// One more, if there is such a number: a file can say any.
  var incremented: Int { self == .max ? self : self + 1 }
}
