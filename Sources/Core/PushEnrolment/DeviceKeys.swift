public import PushKeys
public import PushCore

/// An app's keys on one device: device keys, which open messages, and the identity, which signs the device keys.
public struct DeviceKeys: Sendable {
  /// The device keys, which open messages.
  public private(set) var device: KeySet

  /// The identity, which signs the device keys.
  public private(set) var identity: KeySet

  /// Generates both sets at the first launch.
  ///
  /// The device gets a key for `suite`, and one for `xwing-aesgcm` if this system's libraries have that suite.
  ///
  /// - Throws: `KeySetError.unavailable(_:)`, `KeySetError.wrongRole` if the suite is not one of a device's keys.
  public init(generating suite: Suite = .x25519ChaChaPoly, at now: UnixTime = .now) throws(KeySetError) {
    device = try KeySet(generating: .device, suite: suite, at: now)
    identity = KeySet(generating: .identity, at: now)
    try addQuantumResistant(at: now)
  }

  /// Adds a key for `xwing-aesgcm` to a device that has none, if this system's libraries have the suite and no key is in
  /// hardware: a sealer that had the choice would not use that one.
  ///
  /// Call it at each launch before enrolling, because the system may have been updated. An ``EnrolmentStore`` does so.
  ///
  /// - Throws: `KeySetError.tooManyKeys`.
  public mutating func addQuantumResistant(at now: UnixTime = .now) throws(KeySetError) {
    guard !device.isInHardware else { return }
    do throws(KeySetError) {
      try edit { (editor) throws(KeySetError) in _ = try editor.add(.xwingAESGCM, at: now) }
    } catch .suitePresent, .unavailable {
      // Without the suite, the other keys suffice.
    }
  }

  /// Combines two existing sets.
  ///
  /// - Throws: `KeySetError.wrongRole`.
  public init(device: KeySet, identity: KeySet) throws(KeySetError) {
    guard device.role == .device, identity.role == .identity else { throw .wrongRole }
    self.device = device
    self.identity = identity
  }

  /// Signs the public keys for a backend, with the backend's challenge if there is one.
  ///
  /// Send the returned enrolment to the backend. `report` is what the device says of itself, if it does.
  ///
  /// - Throws: `KeySetError.serialNotGreater` if no serial is left.
  public mutating func enrol(
    address: some PushDestination, for audience: Audience, challenge: Challenge? = nil,
    report: DeviceReport? = nil,
    at now: UnixTime = .now
  ) throws(KeySetError) -> Enrolment {
    try enrol(address: address, for: audience, challenge: challenge, proof: nil, report: report, at: now)
  }

  /// Signs the enrolment that answers a proof request, or returns why the device does not answer: FORMAT.md, [11.20].
  ///
  /// `key` is the key that opened the request.
  ///
  /// - Throws: `KeySetError.serialNotGreater` if no serial is left.
  public mutating func answer(
    _ request: ProofRequest, openedBy key: Thumbprint, address: some PushDestination, for audience: Audience,
    challenge: Challenge? = nil, report: DeviceReport? = nil, at now: UnixTime = .now
  ) throws(KeySetError) -> Result<Enrolment, ProofRefusal> {
    if let refusal = request.refusal(for: audience, by: self, openedBy: key) { return .failure(refusal) }
    return .success(
      try enrol(
        address: address, for: audience, challenge: challenge, proof: request.proof, report: report, at: now))
  }

  private mutating func enrol(
    address: some PushDestination, for audience: Audience, challenge: Challenge?, proof: Proof?,
    report: DeviceReport?, at now: UnixTime
  ) throws(KeySetError) -> Enrolment {
    let keys = try device.publicKeys
    return try editIdentity { (editor) throws(KeySetError) in
      try editor.enrol(
        keys, address: address, for: audience, challenge: challenge, proof: proof, report: report, at: now)
    }
  }

  /// Lets the identity sign, and keeps the serial that it spends.
  mutating func editIdentity<Result>(
    _ sign: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeySetError) -> Result {
    var editor = KeySetEditor(identity)
    let result = try sign(&editor)
    identity = editor.keySet
    return result
  }

  /// Combines stored sets, and generates missing ones for `suite`; nil if a set is missing and no suite is given.
  ///
  /// With a `vault`, the device's key is made there. Keys that are stored stay where they are.
  ///
  /// - Throws: `KeySetError.wrongRole`, also if the suite is not one of a device's keys; `KeySetError.hardware(_:)`.
  package init?(
    device: KeySet?, identity: KeySet?, orMake suite: Suite?, in vault: (any KeyVault)? = nil,
    at now: UnixTime
  ) throws(KeySetError) {
    if let suite, KeyAlgorithm(suite: suite).role != .device { throw .wrongRole }
    if vault != nil, let suite, suite != .p256AESGCM {
      throw .hardware("it holds keys for \(Suite.p256AESGCM.name) alone")
    }
    if let device, let identity {
      try self.init(device: device, identity: identity)
    } else {
      guard let suite else { return nil }
      let identity = identity ?? KeySet(generating: .identity, at: now)
      if let device {
        try self.init(device: device, identity: identity)
      } else {
        let device =
          if let vault {
            try KeySet(generatingIn: vault, at: now)
          } else {
            try KeySet(generating: .device, suite: suite, at: now)
          }
        try self.init(device: device, identity: identity)
        try addQuantumResistant(at: now)
      }
    }
  }

  /// Changes the device keys.
  public mutating func edit<Result>(
    _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeySetError) -> Result {
    var editor = KeySetEditor(device)
    let result = try change(&editor)
    device = editor.keySet
    return result
  }
}
