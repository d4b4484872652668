import PushCore
import PushEnrolment
import PushKeys
import PushSealer
import TestSupport
import Testing

/// Which of a device's keys a policy takes.
struct PostQuantumTests {
  private let backend = Backend()
  private let lunch = RemoteNotification(body: "Lunch?")

  private func sealer(_ policy: PostQuantum) throws -> Sealer {
    try backend.sealer(policy: SealingPolicy(postQuantum: policy))
  }

  private func sealed(
    _ policy: PostQuantum, to keys: PublicKeySet
  ) throws -> Result<SealedNotification, DeviceError> {
    try push(policy, to: keys).flatMap { push in
      guard case .apns(let push) = push else { return .failure(.carriedByFCM) }
      return .success(push.push)
    }
  }

  private func push(
    _ policy: PostQuantum, to keys: PublicKeySet, suite: Suite? = nil
  ) throws -> Result<ServicePush, DeviceError> {
    let device = EnrolledDevice(address: Device.address(1), keys: keys)
    let pushes = try sealer(policy).seal(lunch, to: [device], suite: suite, at: Device.now)
    return try #require(pushes.first).result
  }

  private static let classical: [Suite] = [.x25519ChaChaPoly, .p256AESGCM]

  @Test("required, no key that a quantum computer could open is sealed to", arguments: classical)
  func refused(suite: Suite) throws {
    let device = Device(suite)
    #expect(throws: SealError.notQuantumResistant(suite)) {
      try sealer(.required).seal(lunch, to: device)
    }
    let keys = try device.keys.publicKeys
    #expect(try push(.required, to: keys) == .failure(.seal(.notQuantumResistant(suite))))
    #expect(try Envelope(of: sealed(.preferred, to: keys)).suite == suite)
  }

  @Test("a shared key is quantum-resistant")
  func shared() throws {
    let device = Device(.sharedChaChaPoly)
    let push = try sealer(.required).seal(
      lunch, to: device.keys.recipient(at: Device.now), at: Device.now)
    #expect(try push.envelope().suite == .sharedChaChaPoly)
  }

  @Test("required and asked for another suite, nothing is sealed")
  func contradiction() throws {
    let keys = try Device(.x25519ChaChaPoly).keys.withXWing(at: Device.now).publicKeys
    let result = try push(.required, to: keys, suite: .x25519ChaChaPoly)
    #expect(result == .failure(.seal(.notQuantumResistant(.x25519ChaChaPoly))))
  }

  @Test("offered and available, X-Wing is taken", .needsMLKEM, arguments: PostQuantum.allCases)
  func taken(policy: PostQuantum) throws {
    let keys = try Device(.x25519ChaChaPoly).keys.withXWing(at: Device.now).publicKeys
    #expect(try Envelope(of: sealed(policy, to: keys)).suite == .xwingAESGCM)
  }

  @Test("offered where the libraries lack it, it is not replaced if it is required", .lacksMLKEM)
  func lacking() throws {
    let keys = try Device(.x25519ChaChaPoly).keys.withXWing(at: Device.now).publicKeys
    #expect(try push(.required, to: keys) == .failure(.keys(.unavailable(.xwingAESGCM))))
    #expect(try Envelope(of: sealed(.preferred, to: keys)).suite == .x25519ChaChaPoly)
    let alone = try XWingSample().publicSet
    for policy in PostQuantum.allCases {
      #expect(try push(policy, to: alone) == .failure(.keys(.unavailable(.xwingAESGCM))))
    }
  }

  @Test("where the libraries lack it, a message for it fails alone among others", .lacksMLKEM)
  func together() throws {
    let recipients = [
      try Device(.x25519ChaChaPoly).keys.publicKeys.recipient(at: Device.now),
      try #require(Recipient(XWingSample().publicKey)),
    ]
    let jobs = recipients.map { SealJob(.notification(lunch), to: $0, at: Device.now) }
    let results = try sealer(.preferred).seal(jobs)
    #expect(try results[0].get().envelope().suite == .x25519ChaChaPoly)
    #expect(results[1] == .failure(.unavailable(.xwingAESGCM)))
  }

  @Test(
    "the longest body, in ASCII",
    arguments: [
      (PushType.alert, true, 1701), (.alert, false, 1773), (.voip, true, 2540), (.voip, false, 2612),
    ])
  func capacity(pushType: PushType, isSigned: Bool, size: Int) throws {
    let sealer = try backend.sealer(isSigned: isSigned, policy: SealingPolicy(pushType: pushType))
    let longest = RemoteNotification(body: String(repeating: "a", count: size))
    let budget = try sealer.budget(for: longest, suite: .xwingAESGCM)
    #expect(budget.needed == budget.capacity)
    let over = RemoteNotification(body: String(repeating: "a", count: size + 1))
    #expect(try sealer.budget(for: over, suite: .xwingAESGCM).neededPayload > budget.limit)
  }

  @Test("a body that is too long for X-Wing is cut, and not sealed with a shorter suite", .needsMLKEM)
  func fitting() throws {
    let keys = try Device(.x25519ChaChaPoly).keys.withXWing(at: Device.now)
    let recipient = try keys.publicKeys.recipient(at: Device.now)
    #expect(recipient.suite == .xwingAESGCM)
    let body = String(repeating: "a", count: 1774)
    #expect(throws: SealError.self) {
      try backend.sealer(isSigned: false).seal(RemoteNotification(body: body), to: recipient)
    }
    let sealer = try backend.sealer(isSigned: false, policy: SealingPolicy(fitting: .truncateBody))
    // The ellipsis has 3 bytes.
    let push = try sealer.seal(RemoteNotification(body: body), to: recipient)
    #expect(push.cuts == [.truncatedBody(kept: 1770, of: 1774)])
    #expect(try push.envelope().suite == .xwingAESGCM)
    let whole = try sealer.seal(RemoteNotification(body: String(body.dropLast())), to: recipient)
    #expect(whole.cuts.isEmpty && (4095...4096).contains(whole.payload.count))
  }
}

extension Envelope {
  fileprivate init(of result: Result<SealedNotification, DeviceError>) throws {
    self = try result.get().envelope()
  }
}
