public import PushReceiver

/// Why a phone is not registered for the persons who are signed in, so that no push reaches them on it, or soon none.
public enum RegistrationNeed: String, Equatable, Sendable, CaseIterable {
  /// The app has never registered on this phone, or the person before has signed out.
  case new
  /// The app was deleted and installed again: the keys of the installation before are there, and nothing else.
  case reinstalled
  /// The app's files came with a backup from another phone: the keys that they belong to are not there.
  case restored
  /// Other persons are signed in than those who are registered.
  case otherPersons = "other-persons"
  /// A registration was begun, and the backend has not answered.
  case unfinished
  /// The backend does not have the registration any more, or has it for another phone.
  case forgotten
  /// iOS has given the app another token than the one that is registered.
  case newToken = "new-token"
}

extension RegistrationNeed: CustomStringConvertible {
  /// What it means.
  public var description: String {
    switch self {
    case .new: "this phone is not registered"
    case .reinstalled: "the app was installed again"
    case .restored: "the app's data came from a backup, without its keys"
    case .otherPersons: "the persons who are registered are not those who are signed in"
    case .unfinished: "a registration was begun, and not finished"
    case .forgotten: "the backend no longer has this registration"
    case .newToken: "iOS has given the app another token"
    }
  }
}

/// Whether sealed pushes reach this phone, for the app to show.
public struct RegistrationState: Equatable, Sendable {
  /// How far the registration is.
  public enum Standing: Equatable, Sendable {
    /// Nothing has been asked since the app was started.
    case unknown
    /// Nobody is signed in.
    case nobody
    /// The backend has asked this phone, by a push, whether it is the one; it seals nothing new to it before the answer.
    case pending
    /// The backend seals to this phone.
    case registered
    /// It failed: pushes may not come, or not open.
    case failed(RegistrationFailure)
  }

  /// The state before anything was asked.
  public init() {}

  /// How far the registration is.
  public internal(set) var standing = Standing.unknown

  /// Why the newest signed set of senders was not taken: the one that is there counts until it ends.
  public internal(set) var sendersFault: String?

  /// How many sign-outs the backend has not heard of yet.
  public internal(set) var untoldSignOuts = 0

  /// Why the last background push did not open.
  public internal(set) var backgroundFault: DegradeReason?
}

extension RegistrationState: CustomStringConvertible {
  /// The state in words, for a developer.
  public var description: String {
    let standing =
      switch self.standing {
      case .unknown: "not asked yet"
      case .nobody: "nobody is signed in"
      case .pending: "the backend waits for this phone's proof"
      case .registered: "registered"
      case .failed(let failure): "failed: \(failure)"
      }
    let more = [
      sendersFault.map { "the senders' newest set was not taken: \($0)" },
      untoldSignOuts > 0 ? "sign-outs that the backend has not heard of: \(untoldSignOuts)" : nil,
      backgroundFault.map { "the last background push did not open: \($0)" },
    ]
    return ([standing] + more.compactMap(\.self)).joined(separator: "; ")
  }
}

/// Why a phone could not be registered or signed out.
public enum RegistrationFailure: Error, Equatable, Sendable {
  /// iOS has given the app no token: its reason, or that it did not answer in time.
  case noToken(String)
  /// The session has ended, or it began before the device was removed: the person must log in again.
  case loginNeeded
  /// The person has asked for too many challenges.
  case tooMany(retryAfter: Duration)
  /// The backend refuses the enrolment or the receipt, with a code of FORMAT.md, section 11.
  case refused(reason: String)
  /// No worker has answered the enrolment yet; it may be answered later.
  case noAnswer
  /// The service has no such path, or no such registration.
  case notFound
  /// The service answered with another status.
  case status(Int)
  /// The service's answer is not what the contract says.
  case malformedAnswer
  /// There was no answer: the error in words.
  case unreachable(String)
  /// The keys cannot be read or changed: the error in words.
  case keys(String)
  /// The file of the registration, or that of the accounts, cannot be read or changed.
  case file(ReceiverFileError)
  /// A later call has taken over, such as a sign-out.
  case superseded
}

extension RegistrationFailure: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .noToken(let reason): "iOS has given the app no token: \(reason)"
    case .loginNeeded: "the person must log in again"
    case .tooMany(let time): "too many challenges in an hour; the next one in \(time.components.seconds) s"
    case .refused(let reason): "the backend refuses what the phone has signed: \(reason)"
    case .noAnswer: "no worker has answered the enrolment yet"
    case .notFound: "the service has no such path, or no such registration"
    case .status(let status): "the service answered with the status \(status)"
    case .malformedAnswer: "the service's answer is not what its contract says"
    case .unreachable(let error): "the service cannot be reached: \(error)"
    case .keys(let error): "the keys cannot be read or changed: \(error)"
    case .file(let error): error.description
    case .superseded: "a later call has taken over"
    }
  }
}
