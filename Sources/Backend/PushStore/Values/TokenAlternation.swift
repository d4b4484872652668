public import PushCore
internal import PushCrypto
internal import PushEnrolment
internal import PushKeys

/// What a store knows of an identity whose proven token has changed lately: two phones may have it (FORMAT.md, [11.30]).
public struct TokenAlternation: Hashable, Sendable {
  /// Since when the identity is suspended; nil if it is not.
  public let suspendedAt: UnixTime?

  /// The digest of the token that was proven before the present one.
  package let former: String

  /// Whether the last two changes were to and fro, the first of them within ``window``.
  package let isToAndFro: Bool

  package init(suspendedAt: UnixTime?, former: String, isToAndFro: Bool) {
    (self.suspendedAt, self.former, self.isToAndFro) = (suspendedAt, former, isToAndFro)
  }

  /// The time in which three changes suspend an identity: 7 days.
  package static let window = Duration.seconds(7 * 86_400)

  /// How long changes and suspensions are kept, the latter for as long as the registration has the identity as well.
  package static let keptTime = Duration.seconds(30 * 86_400)

  /// Whether this change would be the third.
  package func isThird(_ change: TokenSwitch) -> Bool { isToAndFro && former == change.new }
}

/// A change of a registration by whose answer another token is proven than before.
package struct TokenSwitch: Hashable, Sendable {
  /// The identity's thumbprint.
  package let identity: String
  /// The digests of the token that was proven, and of the one that is.
  package let old, new: String

  /// Nil if the change is none.
  package init?(_ change: RegistrationChange) {
    guard case .replace(let before, let after) = change, after.hasAnswered(before.registration),
      let old = before.registration.proven, old.hasToken, let new = after.proven, new.hasToken
    else { return nil }
    let tokens = (old.enrolment.address.token, new.enrolment.address.token)
    // A developer's phone has builds of both environments by turns.
    guard tokens.0 != tokens.1, old.enrolment.address.environment == new.enrolment.address.environment
    else { return nil }
    identity = after.identity.text
    (self.old, self.new) = (Self.digest(tokens.0, of: identity), Self.digest(tokens.1, of: identity))
  }

  private static func digest(_ token: PushToken, of identity: String) -> String {
    let text = Array("\(identity) \(token.text)".utf8)
    return Base64URL.encode(SHA256.digest(text.span).span)
  }
}

extension TokenAlternation {
  /// The columns of the table `alternation`, with whether its changes are to and fro.
  package struct Columns: RowColumns {
    private let former, suspendedAt, isToAndFro: Column

    package init(in names: some ColumnNames) {
      former = names.column("former")
      suspendedAt = names.column("suspended_at")
      isToAndFro = names.column("to_and_fro")
    }

    package func alternation(in row: borrowing some StoreRow & ~Copyable) -> TokenAlternation {
      TokenAlternation(
        suspendedAt: row.real(in: suspendedAt).map { StoreTime.unixTime(seconds: $0) },
        former: row.text(in: former) ?? "", isToAndFro: row.boolean(in: isToAndFro))
    }
  }
}

extension VersionedRegistration {
  /// The change that takes from the registration what it has proven and what is pending.
  package var suspension: RegistrationChange {
    var suspended = registration.withoutRequest
    suspended.unregister()
    return .replace(self, suspended)
  }
}
