import PushEnvelope
import PushKeys

/// What is wrong with a key set, in the operator's words.
enum KeySetText {
  /// What to do about it; null where nothing can be said.
  static func remedy(_ error: KeySetError, _ path: String) -> String? {
    switch error {
    case .privateKeyInPublicSet: "its public half: sealpush keys export --keys \(ShellWord.quoted(path))"
    case .missingPrivateKey: "give the file that keys new made, not what keys export wrote"
    case .noPublicHalf: "copy the file itself to the other side, where nobody else can read it"
    default: nil
    }
  }

  static func describe(_ error: KeySetError) -> String {
    switch error {
    case .json(let error): "not strict JSON: \(error)"
    case .notAKeySet: "not a JWK Set"
    case .unsupportedVersion: "written by a newer version"
    case .empty: "there is no key in it"
    case .tooManyKeys: "too many keys"
    case .mixedRoles: "keys of devices, of senders, of roots and so on belong in sets of their own"
    case .invalidSetMember(let member): "'\(member)' is missing or wrong"
    case .misplacedNextKey: "a key is 'next' where none may be"
    case .privateKeyInPublicSet(let index):
      "key \(index) is private where a public one belongs; whoever got it can open or sign"
    case .missingPrivateKey(let index): "key \(index) is public where a private one is needed"
    case .invalidMember(let index, let member): "key \(index): '\(member)' is missing or wrong"
    case .unknownMember(let index?, let member): "key \(index): '\(member)' is not known here"
    case .unknownMember(nil, let member): "'\(member)' is not known here"
    case .keyMismatch(let index): "key \(index): its parts do not belong together"
    case .duplicateKey: "a key is there twice"
    case .collidingKeyIDs: "two keys have the same id"
    case .twoActiveKeys: "two keys of a suite are active"
    case .noActiveKey: "no key is active"
    case .keyEnded: "the active key has ended"
    case .keyNotBegun: "the active key is not good yet"
    case .wrongRole: "keys of another role than is needed here"
    case .noPublicHalf: "shared keys have no public half"
    case .noKeyForSuite: "no key of that suite"
    case .noSuchKey: "no key of that name"
    case .suitePresent: "there is a key of that suite already"
    case .graceTooShort: "the grace is shorter than 30 days"
    case .serialNotGreater: "the serial is not greater than the last one"
    }
  }
}

/// What a destroyed key takes with it, in the operator's words.
enum RevocationText {
  static func loss(_ revocation: Revocation) -> String {
    guard revocation.record.life.status != .next else { return "nothing is lost: it had signed nothing" }
    guard let end = revocation.lossEnds else { return "nothing is lost: its end had come" }
    let isActive = revocation.replacement != nil
    let until = "until \(CalendarTime.text(end)) UTC"
    if revocation.record.algorithm == .ed25519 {
      return "lost: pushes signed with it that arrive \(until), as soon as devices have the new public set;"
        + " before that they trust it"
    }
    let late = isActive ? ", and what others seal to it before they have the new one" : ""
    return "lost: pushes sealed to it in the last 30 days that arrive \(until)\(late)"
  }
}
