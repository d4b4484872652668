public import PushCore
internal import PushEnrolment
internal import PushKeys
private import Synchronization

/// The device tokens that APNs knows, with the phones that have or had them.
final class TokenRegistry: Sendable {
  /// A token's phone.
  struct Registration: Sendable {
    let phone: StandInPhone
    let kind: TokenKind
    /// Why and since when the token is invalid; nil while it is valid.
    var end: End?
  }

  /// The end of a token.
  struct End: Sendable {
    let refusal: Refusal
    let since: UnixTime
  }

  private let registrations = Mutex<[DeviceToken: Registration]>([:])

  /// A token's phone; nil if no phone ever had the token.
  subscript(token: DeviceToken) -> Registration? { registrations.withLock { $0[token] } }

  /// The phones whose app has a token, in the order of their names.
  var phones: [StandInPhone] { allPhones.sorted { $0.name < $1.name } }

  /// The phones whose app has a token, in no order.
  var allPhones: [StandInPhone] {
    registrations.withLock { $0.values.compactMap { $0.end == nil && $0.kind == .app ? $0.phone : nil } }
  }

  /// Gives a token to a phone.
  func register(_ token: DeviceToken, of kind: TokenKind, for phone: StandInPhone) {
    registrations.withLock { $0[token] = Registration(phone: phone, kind: kind) }
  }

  /// Ends a token: pushes to it are refused.
  func end(_ token: DeviceToken, with refusal: Refusal, at now: UnixTime) {
    registrations.withLock { registrations in
      guard registrations[token]?.end == nil else { return }
      registrations[token]?.end = End(refusal: refusal, since: now)
    }
  }
}

extension DeviceToken {
  /// Makes a token of 32 random bytes.
  public static func random() -> DeviceToken {
    guard let token = DeviceToken((0..<32).map { _ in UInt8.random(in: .min ... .max) }) else {
      preconditionFailure("32 bytes are a token")
    }
    return token
  }
}
