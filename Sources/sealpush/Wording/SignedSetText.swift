import PushFiles
import PushKeys

/// Why a signed set, an enrolment or a registration is refused, in the operator's words.
enum SignedSetText {
  /// Why something is refused, with the reason as FORMAT.md writes it.
  static func refusal(_ error: SignedSetError, _ what: String) -> ToolError {
    ToolError(
      .badData, "\(what) is refused: \(error.code): \(describe(error))", hint: remedy(error))
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
    case .tooLarge: "it is longer than any that is good"
    case .malformedJWS: "it is no signed set"
    case .malformedHeader: "its header is not as it must be"
    case .unsupportedAlgorithm: "it is not signed with Ed25519"
    case .wrongType: "it is signed, but as something else"
    case .unknownSigner: "none of the pinned roots has signed it"
    case .badSignature: "its signature is not the signer's"
    case .malformedClaims: "what is signed is not as it must be"
    case .unsupportedVersion: "written by a newer version"
    case .invalidKeys(let error): "its keys: \(KeySetText.describe(error))"
    case .wrongKeys: "it has keys of another role than is wanted"
    case .otherTopic: "it is for another app"
    case .olderSerial(let last): "its serial is lower than the last one, \(last)"
    case .sameSerial: "another one had that serial"
    case .malformedEnrolment: "it is not as it must be"
    case .unsigned: "its keys are not signed"
    case .mismatch(let member): "'\(member)' is not what is signed"
    case .wrongChallenge: "the challenge is not what was asked"
    case .otherIdentity: "another identity has signed it"
    case .notRegistered: "there is no registration of that name"
    case .identityInUse(let name): "registration \(name) has that identity"
    case .tokenInUse(let name): "registration \(name) has that device token"
    case .keyInUse(let name): "registration \(name) has a key of that id"
    }
  }

  /// What to do about it; null where nothing can be said.
  private static func remedy(_ error: SignedSetError) -> String? {
    switch error {
    case .notRegistered: "if the person has just logged in: --new, or --challenge TEXT"
    case .otherIdentity: "a new phone, or an erased one, is a new registration: --registration NEW-NAME --new"
    case .identityInUse(let name), .tokenInUse(let name), .keyInUse(let name):
      "if that one is over, first: sealpush keys forget --registrations FILE --registration="
        + ShellWord.quoted(name)
    case .olderSerial: "it was made before the one that is there, and is not needed"
    default: nil
    }
  }
}
