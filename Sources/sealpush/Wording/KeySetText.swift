import PushEnvelope
import PushKeys

/// What is wrong with a key set, as a message.
enum KeySetText {
  /// What to do about it; nil where nothing can be said.
  static func remedy(_ error: KeySetError, _ path: String) -> String? {
    switch error {
    case .privateKeyInPublicSet: "its public half: sealpush keys export --keys \(ShellWord.quoted(path))"
    case .missingPrivateKey: "use the file that keys new made, not the output of keys export"
    case .noPublicHalf: "copy the file itself to the other side, where nobody else can read it"
    default: nil
    }
  }

  static func describe(_ error: KeySetError) -> String {
    switch error {
    case .json(let error): "not strict JSON: \(error)"
    case .notAKeySet: "not a JWK Set"
    case .unsupportedVersion: "written by a newer version"
    case .empty: "it has no keys"
    case .tooManyKeys: "too many keys"
    case .mixedRoles: "keys of devices, senders, roots and so on cannot share a set"
    case .invalidSetMember(let member): "'\(member)' is missing or wrong"
    case .misplacedNextKey: "a key is 'next' where that is not allowed"
    case .privateKeyInPublicSet(let index):
      "key \(index) is private where a public key is expected; anyone who received it can open or sign"
    case .missingPrivateKey(let index): "key \(index) is public, and a private key is needed"
    case .invalidMember(let index, let member): "key \(index): '\(member)' is missing or wrong"
    case .unknownMember(let index?, let member): "key \(index): '\(member)' is unknown"
    case .unknownMember(nil, let member): "'\(member)' is unknown"
    case .keyMismatch(let index): "key \(index): its parts do not match"
    case .duplicateKey: "a key is duplicated"
    case .collidingKeyIDs: "two keys have the same key ID"
    case .twoActiveKeys: "two keys of a suite are active"
    case .noActiveKey: "no key is active"
    case .keyEnded: "the active key has expired"
    case .keyNotBegun: "the active key is not valid yet"
    case .wrongRole: "the keys have the wrong role"
    case .noPublicHalf: "shared keys have no public half"
    case .noKeyForSuite: "no key of that suite"
    case .noSuchKey: "no key with that name"
    case .suitePresent: "there already is a key of that suite"
    case .graceTooShort: "the grace period is shorter than 30 days"
    case .serialNotGreater: "the serial is not greater than the last one"
    }
  }
}

/// What a destroyed key takes with it, as a message.
enum RevocationText {
  /// Says what is lost, or that nothing is, which is good news.
  static func report(_ revocation: Revocation, _ console: Console) {
    let isLoss = revocation.record.life.status != .next && revocation.lossEnds != nil
    if isLoss { console.warn(loss(revocation)) } else { console.note(loss(revocation)) }
  }

  private static func loss(_ revocation: Revocation) -> String {
    guard revocation.record.life.status != .next else { return "nothing is lost: it never signed anything" }
    guard let end = revocation.lossEnds else { return "nothing is lost: it had expired" }
    let isActive = revocation.replacement != nil
    let until = "until \(CalendarTime.text(end)) UTC"
    if revocation.record.algorithm == .ed25519 {
      return "lost: pushes signed with it that arrive \(until), as soon as devices have the new public set;"
        + " until then they trust the key"
    }
    let late = isActive ? ", and whatever others seal to it before they have the new key" : ""
    return "lost: pushes sealed to it in the last 30 days that arrive \(until)\(late)"
  }
}
