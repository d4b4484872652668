import PushCore
import PushKeys

/// Messages about what is lost with a destroyed key.
enum RevocationText {
  /// Reports what is lost; with `--quiet`, only if something is.
  static func report(_ revocation: Revocation, console: Console) {
    let isLoss = revocation.record.life.status != .next && revocation.lossEnds != nil
    if isLoss { console.warn(loss(by: revocation)) } else { console.note(loss(by: revocation)) }
  }

  private static func loss(by revocation: Revocation) -> String {
    guard revocation.record.life.status != .next else { return "nothing is lost: it never signed anything" }
    guard let end = revocation.lossEnds else { return "nothing is lost: it had expired" }
    let isActive = revocation.replacement != nil
    let until = "until \(end.calendarText) UTC"
    if revocation.record.algorithm == .ed25519 {
      return "lost: pushes signed with it that arrive \(until), once devices have the new public set;"
        + " before that they trust the key"
    }
    let late = isActive ? ", and whatever others seal to it before they have the new key" : ""
    return "lost: pushes sealed to it in the last 30 days that arrive \(until)\(late)"
  }
}
