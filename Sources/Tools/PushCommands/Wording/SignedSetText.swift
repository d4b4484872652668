import PushFiles
import PushEnrolment
import PushKeys

/// Messages about a signed set, an enrolment or a registration that is refused.
enum SignedSetText {
  /// Where registrations are, and so which command removes one.
  enum Place {
    case file
    case store

    /// The command that removes a registration.
    func removal(of name: String) -> String {
      switch self {
      case .file: "sealpush keys forget --registrations FILE --registration=\(ShellWord.quoted(name))"
      case .store: "sealpushd devices remove \(ShellWord.quoted(name)) --store PLACE"
      }
    }
  }

  /// Why something is refused, with the reason as FORMAT.md writes it.
  static func refusal(for error: SignedSetError, of what: String, in place: Place = .file) -> ToolError {
    ToolError(.badData, "\(what) is \(error)", hint: remedy(for: error, in: place))
  }

  /// The error for a file of registrations, or for a change to it.
  static func failure(for error: RegistrationFileError) -> ToolError {
    switch error {
    case .file(let error, let path): failure(for: error, at: path)
    case .line: ToolError(.badData, "\(error)")
    case .refused(let error, _): refusal(for: error, of: "the enrolment")
    }
  }

  /// The error for a file of registrations or a signed set.
  static func failure(for error: FileError, at path: String) -> ToolError {
    let failure = KeyFileFailure.describe(KeyFileError(.file(error), path: path))
    // The usual hint is about key files.
    return error == .notDurable ? ToolError(failure.status, failure.message) : failure
  }

  /// Why a device does not answer a proof request.
  static func refusal(for refusal: ProofRefusal, at path: String) -> ToolError {
    let hint =
      switch refusal {
      case .otherAudience: "--audience must be the name of the backend that asks"
      case .otherIdentity: "someone else has enrolled this device's key"
      case .inactiveKey: "enrol again without --answer"
      }
    return ToolError(.badData, "\(path) is \(refusal)", hint: hint)
  }

  /// What to do about it; nil if there is no advice.
  private static func remedy(for error: SignedSetError, in place: Place) -> String? {
    switch error {
    case .notRegistered: "if the person has just logged in, use --new or --challenge TEXT"
    case .otherIdentity: "register a new or erased phone under a new name: --registration NEW-NAME --new"
    case .identityInUse(let name), .tokenInUse(let name), .keyInUse(let name):
      "if that device is gone, first run: \(place.removal(of: name))"
    case .olderSerial: "it is older than the stored one, and not needed"
    case .unsupportedService:
      place == .file
        ? "--service fcm accepts it; deliver with a client of FCM" : "sealpushd delivers through APNs alone"
    case .suspended: "after a login, the app makes new keys, and enrols with the login's challenge"
    default: nil
    }
  }
}
