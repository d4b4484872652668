internal import PushCore
package import PushEnrolment

/// A device's tokens as they are in a store.
package struct StoredTokens: Sendable {
  /// The identity that signed them, by its thumbprint.
  package let identity: String
  /// The registration that had the identity then.
  private let registration: ExactString
  private let tokens: [TokenUse: DeviceToken]

  /// Takes tokens that were just accepted for a registration.
  package init(_ tokens: DeviceTokens, of registration: String) {
    identity = tokens.identity.thumbprint.text
    (self.registration, self.tokens) = (ExactString(registration), tokens.all)
  }

  /// Reads tokens from a row, and verifies the device's signature again; nil if something else has written the row.
  ///
  /// `alive` has those that have not ended, each as ``place(of:for:)``.
  package init?(identity: String, registration: String, signed: String, alive: [String]) {
    guard let tokens = try? DeviceTokens(signed: signed), tokens.identity.thumbprint.text == identity else {
      return nil
    }
    let alive = Set(alive)
    self.identity = identity
    self.registration = ExactString(registration)
    self.tokens = tokens.all.filter { alive.contains(Self.place(of: $0.value, for: $0.key.pushType)) }
  }

  /// A token and the type of its pushes, as one text.
  package static func place(of token: DeviceToken, for pushType: PushType) -> String {
    "\(pushType.rawValue) \(token.text)"
  }

  /// The device's tokens, if it still has the registration for which they were accepted.
  package func tokens(of device: StoredDevice) -> [TokenUse: DeviceToken] {
    guard device.identity.text == identity, device.device.registration.map(ExactString.init) == registration
    else { return [:] }
    return tokens
  }

  /// The tokens without one that has ended.
  package func without(_ token: DeviceToken, for pushType: PushType) -> StoredTokens {
    StoredTokens(
      identity: identity, registration: registration,
      tokens: tokens.filter { $0.value != token || $0.key.pushType != pushType })
  }

  /// Whether it has a token.
  package func has(_ token: DeviceToken, for pushType: PushType) -> Bool {
    tokens.contains { $0.value == token && $0.key.pushType == pushType }
  }

  private init(identity: String, registration: ExactString, tokens: [TokenUse: DeviceToken]) {
    (self.identity, self.registration, self.tokens) = (identity, registration, tokens)
  }
}

/// What a store knows when a device hands in tokens.
package struct TokenClaimant {
  /// The registration with proven keys that has the identity.
  package struct Registration {
    package let name: String
    let topic: String
    let environment: String

    package init(name: String, topic: String, environment: String) {
      (self.name, self.topic, self.environment) = (name, topic, environment)
    }
  }

  /// nil if there is none.
  package let registration: Registration?
  /// What the device has handed in last; nil if nothing.
  package let last: (serial: Int64, signed: String)?
  /// The name of another registration with proven keys that has one of the tokens; nil if none has.
  package let rival: String?

  package init(registration: Registration?, last: (serial: Int64, signed: String)?, rival: String?) {
    (self.registration, self.last, self.rival) = (registration, last, rival)
  }

  /// What becomes of the tokens.
  package enum Decision {
    case take(name: String)
    case keep
    case refuse(SignedSetError)
  }

  /// Decides by FORMAT.md, [11.37].
  package func decision(on tokens: DeviceTokens) -> Decision {
    guard let registration else { return .refuse(.notRegistered) }
    guard registration.topic == tokens.topic.text else { return .refuse(.otherTopic) }
    guard registration.environment == tokens.environment.rawValue else {
      return .refuse(.mismatch(member: "environment"))
    }
    if let last {
      guard tokens.serial >= last.serial else { return .refuse(.olderSerial(last: last.serial)) }
      if tokens.serial == last.serial {
        return tokens.signed == last.signed ? .keep : .refuse(.sameSerial)
      }
    }
    if let rival { return .refuse(.tokenInUse(registration: rival)) }
    return .take(name: registration.name)
  }
}
