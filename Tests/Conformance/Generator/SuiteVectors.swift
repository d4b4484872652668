import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing

/// What opens with the key of a suite that has a file of its own, each made by the sealer.
struct SuiteVectors {
  private static let call = #"{"aps":{},"call":{"id":7,"from":"Ada"}}"#

  /// The active key.
  let recipient: Recipient
  /// The key that was replaced when it was made, and ended 30 days later.
  let retired: Recipient
  let sender: KeySet

  private var suite: Suite { recipient.suite }

  func opened() throws -> [OpenedVector] {
    try everyCombination() + buckets() + largest() + topics() + others()
  }

  func data() throws -> [DataVector] {
    var misplaced = try data("content-type-1", .background, "a notification where data is asked for")
    var forge = misplaced.forge
    forge.firstByte = 0x11
    misplaced = DataVector(
      id: misplaced.id, comment: misplaced.comment, pushType: .alert, forge: forge, padding: "other",
      payload: try forge.payload(), fault: ("5.3", .malformedContent))
    return [
      try data("background", .background, "the plain case: this push type, signed"),
      try data("voip", .voip, "the plain case: this push type, signed"),
      try data("background-anonymous", .background, "nobody signed", isSigned: false),
      try data("voip-5120", .voip, "filled up to all that a VoIP push may have", padding: .maximum),
      misplaced,
    ]
  }

  private func everyCombination() throws -> [OpenedVector] {
    try [true, false].flatMap { isSigned in
      try Padding.allCases.map { padding in
        try sealed(
          "\(isSigned ? "signed" : "anonymous")-\(padding.rawValue)",
          "the plain case: this kind of sender, this padding", isSigned: isSigned, padding: padding)
      }
    }
  }

  /// A plaintext that just fills a bucket, and one with a byte more.
  private func buckets() throws -> [OpenedVector] {
    try [256, 512, 1024, 2048].filter { $0 < capacity(isSigned: true) }.flatMap { bucket in
      try [("full", "the plaintext just fills a bucket", 0), ("over", "one byte too many for a bucket", 1)]
        .map {
          name, comment, more in
          let empty = #"{"aps":{"alert":""}}"#.utf8.count
          let body = String(repeating: "x", count: bucket - 102 - empty + more)
          return try sealed("bucket-\(bucket)-\(name)", comment, #"{"aps":{"alert":"\#(body)"}}"#)
        }
    }
  }

  private func largest() throws -> [OpenedVector] {
    try [true, false].map { isSigned in
      let empty = #"{"aps":{"alert":{"body":""}}}"#.utf8.count
      let body = String(repeating: "x", count: capacity(isSigned: isSigned) - empty)
      return try sealed(
        "largest-\(isSigned ? "signed" : "anonymous")", "the longest body that fits",
        #"{"aps":{"alert":{"body":"\#(body)"}}}"#, isSigned: isSigned)
    }
  }

  private func capacity(isSigned: Bool) -> Int {
    Budget.contentCapacity(policy: SealingPolicy(), suite: suite, isSigned: isSigned)
  }

  private func topics() throws -> [OpenedVector] {
    let longest = String(repeating: "a-9.", count: 63) + "end"
    return try [("short", "a"), ("mixed", "com.Example.App-2"), ("longest", longest)].map { name, topic in
      try sealed("topic-\(name)", "another app: its bundle id is bound") { $0.topic = topic }
    }
  }

  private func others() throws -> [OpenedVector] {
    let made = VectorKeys.made
    var duringGrace = try sealed("key-accepted", "sealed with a key that was replaced and is still accepted")
    {
      $0.recipient = retired
      $0.issuedAt = UInt64(made.seconds)
    }
    duringGrace.now = made.advanced(by: .seconds(2_592_000))
    return [
      duringGrace,
      try sealed(
        "text-korean", "Hangul and an emoji", #"{"aps":{"alert":{"title":"안녕하세요","body":"점심 🍜"}}}"#),
      try sealed(
        suite == .sharedChaChaPoly ? "salt-zero" : "seed-zero",
        "a \(suite == .sharedChaChaPoly ? "salt" : "seed") of zeros, which random bytes may be: it is as good as another"
      ) { $0.randomness = [UInt8](repeating: 0, count: $0.randomness.count) },
    ]
  }

  func forge(
    _ name: String, isSigned: Bool, _ change: (inout Forge) throws -> Void = { _ in }
  ) throws -> Forge {
    var forge = Forge(
      "\(suite.name)-\(name)", to: recipient, from: isSigned ? try sender.signingKey() : nil)
    try change(&forge)
    return forge
  }

  private func sealed(
    _ name: String, _ comment: String, _ content: String? = nil, isSigned: Bool = true,
    padding: Padding = .buckets, _ change: (inout Forge) throws -> Void = { _ in }
  ) throws -> OpenedVector {
    var forge = try forge(name, isSigned: isSigned, change)
    if let content { forge.content = Array(content.utf8) }
    let sealed = try forge.sealed(SealingPolicy(padding: padding))
    return OpenedVector(
      id: forge.label, comment: comment, forge: forge, padding: padding.rawValue,
      limit: sealed.budget.limit, payload: try JSONObject(parsing: sealed.payload.span))
  }

  func data(
    _ name: String, _ type: PushType, _ comment: String, isSigned: Bool = true, padding: Padding = .buckets,
    content: String = call
  ) throws -> DataVector {
    let forge = try forge("data-\(name)", isSigned: isSigned) { $0.content = Array(content.utf8) }
    return try DataVector(sealing: forge, as: type, comment, padding: padding)
  }
}
