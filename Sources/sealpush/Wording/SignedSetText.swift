import PushFiles
import PushKeys

/// Why a signed set, an enrolment or a registration is refused, as a message.
enum SignedSetText {
  /// Why something is refused, with the reason as FORMAT.md writes it.
  static func refusal(_ error: SignedSetError, _ what: String) -> ToolError {
    ToolError(
      .badData, "\(what) is rejected: \(error.code): \(describe(error))", hint: remedy(error))
  }

  /// What is wrong with a file of registrations, or with the change that was to be made.
  static func failure(_ error: RegistrationFileError, _ path: String) -> ToolError {
    switch error {
    case .file(let error): failure(error, path)
    case .line(let number, let error):
      ToolError(.badData, "\(path), line \(number): \(error.code): \(describe(error))")
    case .refused(let error): refusal(error, "the enrolment")
    }
  }

  /// What is wrong with a file of registrations or a signed set.
  static func failure(_ error: FileError, _ path: String) -> ToolError {
    let failure = KeyFileFailure.describe(.file(error), path)
    // The hint for that is about key files.
    return error == .notDurable ? ToolError(failure.status, failure.message) : failure
  }

  /// Why it is refused.
  static func describe(_ error: SignedSetError) -> String {
    switch error {
    case .tooLarge: "it is longer than any valid one"
    case .malformedJWS: "it is not a signed set"
    case .malformedHeader: "its header is malformed"
    case .unsupportedAlgorithm: "it is not signed with Ed25519"
    case .wrongType: "it is signed, but has the wrong type"
    case .unknownSigner: "it is not signed by a pinned root"
    case .badSignature: "its signature is invalid"
    case .malformedClaims: "its signed content is malformed"
    case .unsupportedVersion: "written by a newer version"
    case .invalidKeys(let error): "its keys: \(KeySetText.describe(error))"
    case .wrongKeys: "its keys have the wrong role"
    case .otherTopic: "it is for another app"
    case .olderSerial(let last): "its serial is lower than the last one, \(last)"
    case .sameSerial: "its serial was used before"
    case .malformedEnrolment: "it is malformed"
    case .unsigned: "its keys are not signed"
    case .mismatch(let member): "'\(member)' does not match the signed value"
    case .otherAudience: "it is for another backend"
    case .wrongChallenge: "the challenge is wrong"
    case .otherIdentity: "it is signed by another identity"
    case .notRegistered: "there is no registration with that name"
    case .identityInUse(let name): "registration \(name) has that identity"
    case .tokenInUse(let name): "registration \(name) has that device token"
    case .keyInUse(let name): "registration \(name) has a key with that key ID"
    }
  }

  /// Why a device does not answer a proof request.
  static func refusal(_ refusal: ProofRefusal, _ path: String) -> ToolError {
    let (text, hint): (String, String?) =
      switch refusal {
      case .otherAudience: ("it is from another backend", "--audience is the name of the backend that asks")
      case .otherIdentity:
        ("it is about an enrolment by another identity", "someone else has enrolled this device's key")
      case .inactiveKey: ("its key is not active any more", "enrol again without --answer")
      }
    return ToolError(.badData, "\(path) is not answered: \(refusal.rawValue): \(text)", hint: hint)
  }

  /// What to do about it; nil where nothing can be said.
  private static func remedy(_ error: SignedSetError) -> String? {
    switch error {
    case .notRegistered: "if the person has just logged in, use --new or --challenge TEXT"
    case .otherIdentity: "register a new or erased phone under a new name: --registration NEW-NAME --new"
    case .identityInUse(let name), .tokenInUse(let name), .keyInUse(let name):
      "if that device is gone, first run: sealpush keys forget --registrations FILE --registration="
        + ShellWord.quoted(name)
    case .olderSerial: "it is older than the stored one, and not needed"
    default: nil
    }
  }
}
