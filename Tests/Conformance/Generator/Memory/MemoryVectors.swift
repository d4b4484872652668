import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport

/// What is remembered of messages, how long, and what is not: section 7.
struct MemoryVectors {
  let keys: VectorKeys

  private static let another = Array(#"{"aps":{"alert":"Another"}}"#.utf8)
  private static let (first, duplicate, notChecked) = ("first", "duplicate", "not-checked")
  private static let replayed = DegradeReason.replayed.rawValue
  private static let issued = Int64(Forge.issuedAt)
  private static let skew: Int64 = 300

  func all() throws -> [MemoryVector] {
    try plain() + parts() + refused() + times() + bounded() + floors()
  }

  /// A message, delivered some seconds after it was issued.
  private func push(
    _ label: String = "message", after seconds: Int64 = 60, _ type: PushType = .alert, isSigned: Bool = true,
    _ change: (inout Forge) throws -> Void = { _ in }
  ) throws -> MemoryDelivery {
    var forge = Forge(
      "memory-\(label)", to: try keys.recipient(.x25519ChaChaPoly),
      from: isSigned ? try keys.sender.signingKey() : nil)
    try change(&forge)
    return MemoryDelivery(forge: forge, now: UnixTime(clamping: Self.issued + seconds), type: type)
  }

  /// Another content under the same id.
  private func other(
    _ label: String = "message", after seconds: Int64 = 60, _ type: PushType = .alert, isSigned: Bool = true,
    _ change: (inout Forge) throws -> Void = { _ in }
  ) throws -> MemoryDelivery {
    try push(label, after: seconds, type, isSigned: isSigned) {
      $0.content = Self.another
      try change(&$0)
    }
  }

  private func vector(
    _ id: String, _ comment: String, _ before: [MemoryDelivery], _ push: MemoryDelivery, _ expect: String,
    capacity: Int? = nil
  ) -> MemoryVector {
    MemoryVector(
      id: id, comment: comment, before: before, push: push, capacity: capacity, expect: expect)
  }

  private func plain() throws -> [MemoryVector] {
    let message = try push()
    return [
      vector("first", "the plain case", [], message, Self.first),
      vector("again", "the same message", [message], message, Self.duplicate),
      vector("thrice", "and once more", [message, message], message, Self.duplicate),
      vector("other-content", "another content under its id", [message], try other(), Self.replayed),
      vector(
        "other-content-between", "what was refused changed nothing", [message, try other()], message,
        Self.duplicate),
      vector("other-id", "another message", [message], try push("another"), Self.first),
      vector(
        "sealed-anew", "the same message, sealed anew", [message], try push { $0.randomness[0] ^= 1 },
        Self.duplicate),
    ]
  }

  /// The origin, the content type and the id, together.
  private func parts() throws -> [MemoryVector] {
    let anonymous = try push(isSigned: false)
    let data = try push(after: 60, .background)
    let state = try push(after: 60, .liveActivity)
    return [
      vector(
        "type", "data under a notification's id", [try push()], try other(after: 60, .background), Self.first),
      vector(
        "type-data", "a call under a background push's id", [data], try other(after: 60, .voip), Self.first),
      vector("data", "data twice", [data], data, Self.duplicate),
      vector(
        "data-other", "other data under its id", [data], try other(after: 60, .background), Self.replayed),
      vector(
        "origin", "an anonymous message under a signed one's id", [try push()], try other(isSigned: false),
        Self.first),
      vector("anonymous", "an anonymous message twice", [anonymous], anonymous, Self.duplicate),
      vector(
        "anonymous-other-key", "an anonymous message under its id to another key", [anonymous],
        try other(isSigned: false) { $0.recipient = try keys.recipient(.p256AESGCM) }, Self.first),
      vector(
        "signed-other-key", "the same message to another key: the key is no part of a sender's origin",
        [try push()],
        try push { $0.recipient = try keys.recipient(.p256AESGCM) }, Self.duplicate),
      vector("activity", "a Live Activity's state twice: it is not remembered", [state], state, "opened"),
      vector(
        "activity-other", "and another one under its id", [state], try other(after: 60, .liveActivity),
        "opened"),
    ]
  }

  /// What is refused leaves nothing.
  private func refused() throws -> [MemoryVector] {
    let flipped = try other { $0.changeSignature = { [$0[0] ^ 1] + $0.dropFirst() } }
    let late = try other {
      ($0.issuedAt, $0.lifetime) = (Forge.issuedAt - 400, 0)
    }
    return [
      vector(
        "refused-signature", "before it came one with a wrong signature", [flipped], try push(), Self.first),
      vector("refused-expired", "before it came one that was too late", [late], try push(), Self.first),
      vector(
        "refused-content", "before it came one without a text",
        [try push { $0.content = Array(#"{"aps":{}}"#.utf8) }],
        try push(), Self.first),
    ]
  }

  /// How long.
  private func times() throws -> [MemoryVector] {
    let brief = try push { $0.lifetime = 0 }
    let longer = try push(after: 120) { $0.lifetime = 3600 }
    let (end, laterEnd) = (Self.skew, 3600 + Self.skew)
    return [
      vector(
        "last-second", "another content in the last second of the first one", [brief], try other(after: end),
        Self.replayed),
      vector(
        "expired", "another content when the first one has expired", [brief], try other(after: end + 1),
        Self.first),
      vector(
        "extended", "and when the same message was sealed again with more time", [brief, longer],
        try other(after: end + 1), Self.replayed),
      vector(
        "extended-last-second", "until its last second", [brief, longer], try other(after: laterEnd),
        Self.replayed),
      vector(
        "extended-expired", "and no longer", [brief, longer], try other(after: laterEnd + 1), Self.first),
      vector(
        "not-shortened", "when it was sealed again with less time, the first end counts",
        [longer, try push(after: 130) { $0.lifetime = 0 }], try other(after: laterEnd), Self.replayed),
    ]
  }

  /// The memory is full.
  private func bounded() throws -> [MemoryVector] {
    func at(_ label: String, _ second: Int64, lifetime: UInt32 = 2_592_000) throws -> MemoryDelivery {
      try push(label, after: second + 1) {
        $0.issuedAt = UInt64(Self.issued + second)
        $0.lifetime = lifetime
      }
    }
    let three = [try at("a", 10), try at("b", 20), try at("c", 30)]
    let first = try at("a", 10)
    let brief = try at("a", 10, lifetime: 0)
    let late = try push("c", after: 400) { $0.issuedAt = UInt64(Self.issued + 399) }
    return [
      vector("full", "it holds two, and a third one came", three, first, Self.notChecked, capacity: 2),
      vector("full-second", "what is remembered is", three, try at("b", 20), Self.duplicate, capacity: 2),
      vector("full-first", "a message of a later time", three, try at("d", 40), Self.first, capacity: 2),
      vector(
        "full-oldest", "it drops what was recorded first, and not what was issued first",
        [three[2], three[1], try at("d", 40)], three[1], Self.duplicate, capacity: 2),
      vector(
        "full-expired", "what has expired is dropped first, and leaves no floor",
        [three[1], brief, late], three[1], Self.duplicate, capacity: 2),
      vector(
        "full-expired-floor", "so an older message is the first",
        [three[1], brief, late], try at("d", 5), Self.first, capacity: 3),
      vector(
        "full-duplicate", "a duplicate needs no room", [three[0], three[1], three[1]], three[0],
        Self.duplicate,
        capacity: 2),
    ]
  }

  /// What may have been dropped.
  private func floors() throws -> [MemoryVector] {
    func at(
      _ label: String, _ second: Int64, isSigned: Bool = true,
      _ change: (inout Forge) throws -> Void = { _ in }
    ) throws -> MemoryDelivery {
      try push(label, after: 60, isSigned: isSigned) {
        $0.issuedAt = UInt64(Self.issued + second)
        try change(&$0)
      }
    }
    let full = [try at("a", 10), try at("b", 20)]
    let older = try at("c", 5)
    return [
      vector(
        "floor", "another message, issued at the floor", full, try at("c", 10), Self.notChecked, capacity: 1),
      vector("floor-above", "and a second later", full, try at("c", 11), Self.first, capacity: 1),
      vector("floor-below", "and before it", full, older, Self.notChecked, capacity: 1),
      vector(
        "floor-again", "what is not checked is not remembered", full + [older], older, Self.notChecked,
        capacity: 1),
      vector(
        "floor-again-other", "so another content under its id opens, too", full + [older],
        try at("c", 5) { $0.content = Self.another }, Self.notChecked, capacity: 1),
      vector(
        "floor-not-recorded", "and it took nobody's place", full + [older], try at("b", 20), Self.duplicate,
        capacity: 1),
      vector(
        "floor-latest", "the floor is the latest time, and not the last one",
        [try at("b", 20), try at("a", 10), try at("d", 30)], try at("c", 15), Self.notChecked, capacity: 1),
      vector(
        "floor-origin", "of its origin alone: anonymous messages have another", full,
        try at("c", 5, isSigned: false),
        Self.first, capacity: 1),
      vector(
        "floor-anonymous", "which is that of the key",
        [
          try at("a", 10, isSigned: false), try at("b", 20, isSigned: false),
        ], try at("c", 5, isSigned: false), Self.notChecked, capacity: 1),
      vector(
        "floor-anonymous-key", "and no other key's",
        [
          try at("a", 10, isSigned: false), try at("b", 20, isSigned: false),
        ], try at("c", 5, isSigned: false) { $0.recipient = try keys.recipient(.p256AESGCM) }, Self.first,
        capacity: 1),
      vector(
        "floor-extended", "a message that was sealed again counts with its latest time",
        [try at("a", 10), try at("a", 15), try at("b", 20)], try at("c", 15), Self.notChecked, capacity: 1),
    ]
  }
}
