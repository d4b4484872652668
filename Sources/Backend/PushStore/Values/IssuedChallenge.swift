public import PushCore
internal import PushCrypto
package import PushEnrolment

/// A login of the application's own.
public struct Login: Hashable, Sendable {
  /// The application's name for the person who is logged in.
  public let person: String

  /// The login's ID, by which the application tells it from the person's other logins.
  public let id: String

  /// When it began, by the application's clock.
  public let beganAt: UnixTime

  /// Takes texts of 1 to 255 bytes of UTF-8 without control characters.
  ///
  /// - Throws: `ValueError`.
  public init(person: String, id: String, beganAt: UnixTime) throws(ValueError) {
    guard Registration.isName(person) else { throw ValueError("person", is: JobColumn.nameRule) }
    guard Registration.isName(id) else { throw ValueError("login ID", is: JobColumn.nameRule) }
    self.person = person
    self.id = id
    self.beganAt = beganAt
  }
}

/// What a challenge is issued for.
public struct ChallengePurpose: Hashable, Sendable {
  /// What becomes of the persons that a device belongs to already.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// They leave: the device belongs to this person alone.
    case replace

    /// They stay: the device belongs to this person, too.
    case join
  }

  /// The login that it is issued to.
  public let login: Login

  /// The app.
  public let topic: Topic

  /// The name of the registration.
  public let registration: String

  /// What becomes of the persons before.
  public let mode: Mode

  /// Takes a registration's name of 1 to 255 bytes of UTF-8 without control characters.
  ///
  /// - Throws: `ValueError`.
  public init(
    login: Login, topic: Topic, registration: String, mode: Mode
  ) throws(ValueError) {
    guard Registration.isName(registration) else {
      throw ValueError("registration's name", is: JobColumn.nameRule)
    }
    self.login = login
    self.topic = topic
    self.registration = registration
    self.mode = mode
  }
}

/// A challenge that is in the book.
public struct IssuedChallenge: Hashable, Sendable {
  /// How long a challenge is valid: ten minutes.
  public static let lifetime = Duration.seconds(600)

  /// How many challenges a person gets in an hour.
  public static let maximumPerHour = 10

  /// How far ahead a challenge's end may lie: the clock may have gone back since it was issued, but not by much.
  package static let longestLifetime = lifetime * 2

  /// How long a challenge counts: an hour.
  package static let countedTime = Duration.seconds(3600)

  /// What it was issued for.
  public let purpose: ChallengePurpose

  /// When it is no longer valid, by the store's clock.
  public let expiresAt: UnixTime

  package init(purpose: ChallengePurpose, expiresAt: UnixTime) {
    self.purpose = purpose
    self.expiresAt = expiresAt
  }
}

/// A person has had as many challenges as an hour allows.
public struct TooManyChallenges: Error, Hashable, Sendable {
  /// When the person may have the next one.
  public let retryAfter: Duration

  /// `oldest` is how long ago the first of those was issued that count.
  package init(oldest: Duration) {
    retryAfter = min(max(IssuedChallenge.countedTime - oldest, .seconds(1)), IssuedChallenge.countedTime)
  }
}

extension TooManyChallenges: CustomStringConvertible {
  /// The limit, and how long it lasts.
  public var description: String {
    "\(IssuedChallenge.maximumPerHour) challenges were issued in an hour; wait for \(retryAfter.components.seconds) s"
  }
}

extension Challenge {
  /// What a book has of it: the SHA-256 of its UTF-8 bytes, in base64url.
  package var bookHash: String { Base64URL.encode(SHA256.digest(Array(text.utf8).span).span) }
}

/// Keeps persons and logins out of logs.
extension Login: CustomStringConvertible, CustomReflectable {
  /// When it began.
  public var description: String { "a login of \(beganAt)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Keeps persons and names out of logs.
extension ChallengePurpose: CustomStringConvertible, CustomReflectable {
  /// The app and the mode.
  public var description: String { "\(mode.rawValue), \(topic)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
