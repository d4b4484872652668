import PushCore
import PushKeys
import PushSealer
import Testing

extension PushType {
  /// Those whose skeleton is the same for every message.
  fileprivate static let oneSkeleton = allCases.filter { $0 != .liveActivity }
}

struct SizeTests {
  /// A way to seal, and what the body is made of.
  struct Case: Sendable, CustomTestStringConvertible {
    let suite: Suite
    let isSigned: Bool
    let padding: Padding
    let pushType: PushType
    let filler: String

    var policy: SealingPolicy { SealingPolicy(padding: padding, pushType: pushType) }
    var limit: Int { pushType == .voip ? 5120 : 4096 }
    var testDescription: String { "\(suite.name) \(isSigned) \(padding) \(pushType) \(filler)" }

    static let all = Suite.available.flatMap { suite in
      [true, false].flatMap { isSigned in
        Padding.allCases.flatMap { padding in
          PushType.oneSkeleton.flatMap { pushType in
            ["a", "😀", "한", "\""].map {
              Case(suite: suite, isSigned: isSigned, padding: padding, pushType: pushType, filler: $0)
            }
          }
        }
      }
    }
  }

  private let backend = Backend()

  /// A notification whose content has exactly `size` bytes.
  private func notification(_ size: Int, filler: String) throws -> RemoteNotification {
    let rest = size - (try RemoteNotification(body: "").payload().encoded().count)
    let cost = filler == "\"" ? 2 : filler.utf8.count
    let body = String(repeating: filler, count: rest / cost) + String(repeating: "x", count: rest % cost)
    return RemoteNotification(body: body)
  }

  @Test("what fits the budget fits APNs, and a byte more is refused with its size", arguments: Case.all)
  func limits(test: Case) throws {
    let device = Device(test.suite)
    let sealer = try backend.sealer(isSigned: test.isSigned, policy: test.policy)
    let capacity = Budget.contentCapacity(policy: test.policy, suite: test.suite, isSigned: test.isSigned)
    let largest = try notification(capacity, filler: test.filler)
    let push = try sealer.seal(largest, to: device)
    #expect((test.limit - 1...test.limit).contains(push.payload.count))
    #expect(try device.open(push).content == largest.payload().encoded())
    #expect(push.budget.limit == test.limit)
    #expect(push.budget.needed == push.budget.capacity)
    #expect(push.budget.neededPayload == push.payload.count)

    let tooLarge = try notification(capacity + 1, filler: test.filler)
    let plaintext = capacity + 1 + (test.isSigned ? 102 : 30)
    let envelope = 10 + test.suite.encapsulatedKeySize + plaintext + 16
    let bytes = try push.skeleton().utf8.count + (4 * envelope + 2) / 3
    #expect(bytes > test.limit)
    #expect(throws: SealError.tooLarge(bytes: bytes, limit: test.limit)) {
      try sealer.seal(tooLarge, to: device)
    }
    let budget = try sealer.budget(for: tooLarge, suite: test.suite)
    #expect(budget.neededPayload == bytes)
    #expect(budget.needed == budget.capacity + 1)
  }

  @Test("no size is over the limit, and all that fit are sealed", arguments: Padding.allCases)
  func sizes(padding: Padding) throws {
    let device = Device(.x25519ChaChaPoly)
    let policy = SealingPolicy(padding: padding)
    let sealer = try backend.sealer(isSigned: false, policy: policy)
    let capacity = Budget.contentCapacity(policy: policy, suite: device.suite, isSigned: false)
    for size in Array(stride(from: 40, through: capacity, by: 97)) + (capacity - 8...capacity) {
      let push = try sealer.seal(try notification(size, filler: "a"), to: device)
      #expect(push.payload.count <= 4096)
      #expect(push.budget.needed == size + 30)
      #expect(try push.plaintextSize() >= push.budget.needed)
    }
  }

  @Test("far too large is refused as just too large is")
  func huge() throws {
    let device = Device(.x25519ChaChaPoly)
    let sealer = try backend.sealer()
    let huge = RemoteNotification(body: String(repeating: "a", count: 1_000_000))
    #expect(throws: SealError.tooLarge(bytes: 1_333_711, limit: 4096)) { try sealer.seal(huge, to: device) }
  }

  @Test(
    "buckets are filled exactly",
    arguments: [
      (1, 256), (256, 256), (257, 512), (512, 512), (513, 1024), (1024, 1024), (1025, 2048), (2048, 2048),
    ], [true, false])
  func buckets(sizes: (needed: Int, padded: Int), isSigned: Bool) throws {
    let device = Device(.p256AESGCM)
    let smallest = try RemoteNotification(body: "x").payload().encoded().count
    let content = max(sizes.needed - (isSigned ? 102 : 30), smallest)
    let push = try backend.sealer(isSigned: isSigned).seal(try notification(content, filler: "a"), to: device)
    #expect(try push.plaintextSize() == sizes.padded)
  }

  @Test("above the last bucket all there is is filled", arguments: Suite.available)
  func aboveBuckets(suite: Suite) throws {
    let device = Device(suite)
    // With X-Wing's longer key there is no room for the bucket of 2048 bytes.
    let last = suite == .xwingAESGCM ? 1024 : 2048
    let push = try backend.sealer(isSigned: false).seal(try notification(last - 29, filler: "a"), to: device)
    #expect(try push.plaintextSize() == push.budget.capacity)
    #expect((last + 1..<2 * last).contains(push.budget.capacity))
  }

  @Test("without padding the length is the content's")
  func noPadding() throws {
    let device = Device(.x25519ChaChaPoly)
    let sealer = try backend.sealer(isSigned: false, policy: SealingPolicy(padding: .none))
    let sizes = try [100, 101, 102].map {
      try sealer.seal(try notification($0, filler: "a"), to: device).plaintextSize()
    }
    #expect(sizes == [130, 131, 132])
  }

  @Test("the capacity is the format's formula", arguments: Suite.available, PushType.oneSkeleton)
  func capacity(suite: Suite, pushType: PushType) throws {
    let policy = SealingPolicy(pushType: pushType)
    let push = try backend.sealer(policy: policy).seal(RemoteNotification(body: "b"), to: Device(suite))
    let skeleton = try push.skeleton().utf8.count
    #expect(push.budget.skeleton == skeleton)
    let limit = pushType == .voip ? 5120 : 4096
    #expect(push.budget.capacity == 3 * (limit - skeleton) / 4 - 10 - suite.encapsulatedKeySize - 16)
  }

  @Test(
    "placeholders and keys that need escapes keep the size exact",
    arguments: [
      "", "New \"message\"", #"back\slash\"#, "😀👨‍👩‍👧‍👦", "한국어", "tab\tnewline\nbell\u{07}",
      String(repeating: "t", count: 900),
    ], ["ENCRYPTED_DATA", #"k"e\y😀"#])
  func escapes(title: String, key: String) throws {
    let device = Device(.x25519ChaChaPoly)
    let envelopeKey = try EnvelopeKey(key)
    let policy = SealingPolicy(placeholderTitle: title, envelopeKey: envelopeKey, padding: .maximum)
    let push = try backend.sealer(policy: policy).seal(RemoteNotification(body: "b"), to: device)
    #expect((4095...4096).contains(push.payload.count))
    #expect(try push.json["aps"]?.object?["alert"]?.object?["title"]?.string == title)
    #expect(try push.skeleton(envelopeKey).utf8.count == push.budget.skeleton)
    #expect(text(try device.open(push, key: envelopeKey).content) == #"{"aps":{"alert":{"body":"b"}}}"#)
  }

  @Test("a placeholder that leaves no room is an error, not a trap", arguments: [3900, 4096, 10_000])
  func noRoom(count: Int) throws {
    let policy = SealingPolicy(placeholderTitle: String(repeating: "t", count: count))
    let sealer = try backend.sealer(policy: policy)
    let error = #expect(throws: SealError.self) {
      try sealer.seal(RemoteNotification(body: "b"), to: Device(.x25519ChaChaPoly))
    }
    guard case .tooLarge(let bytes, 4096)? = error else {
      Issue.record("another error")
      return
    }
    #expect(bytes > 4096)
    #expect(Budget.contentCapacity(policy: policy, suite: .x25519ChaChaPoly, isSigned: true) == 0)
  }
}
